package dev.shipshape.plugin.command;

import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.known.ConfigurationKey;
import dev.shipshape.webhook.store.KnownInvalidClient;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "forget",
    description = {
      "Clear a configuration that is known invalid, so that the webhook allows it again.",
      "A status that was written before does not count any more; one that is written from now on"
          + " does."
    })
final class ForgetCommand implements Callable<Integer> {
  private static final Pattern PREFIX = Pattern.compile("(v1:)?[0-9a-f]{12,64}");

  /** Differs from that of {@code remember}, whose fields must stay when the verdict changes. */
  private static final String FIELD_MANAGER = "helm-shipshape-forget";

  private static final int FULL = "v1:".length() + 64;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final KnownInvalidOptions known = new KnownInvalidOptions();

  @Option(
      names = "--guard",
      paramLabel = "NAME",
      description = {
        "Only for this guard, by its name in known-invalid: of the presets schiff-revisions and"
            + " t-caas it is schiff-revision and t-caas-revision. With the full hash, it also"
            + " clears a configuration that has no KnownInvalidConfiguration and is invalid by an"
            + " object's status only; the name is not checked then."
      })
  private @Nullable String guard;

  @Option(
      names = "--config-namespace",
      paramLabel = "NAME",
      description = "The configuration's namespace, for a guard of a namespaced kind.")
  private String namespace = "";

  @Parameters(
      paramLabel = "HASH",
      description = "The configuration's hash, or the first 12 digits of it or more.")
  private String hash = "";

  @Override
  public Integer call() {
    if (!PREFIX.matcher(hash).matches()) {
      throw new ParameterException(
          spec.commandLine(),
          "not a hash: \"%s\"; give v1: and 64 hexadecimal digits, or the first 12 of them or more"
              .formatted(hash));
    }
    return known.at(this::forget);
  }

  private int forget(KnownInvalidClient client) {
    var out = spec.commandLine().getOut();
    var err = spec.commandLine().getErr();
    var prefix = hash.startsWith("v1:") ? hash : "v1:" + hash;
    var found =
        KnownInvalidOptions.newestFirst(client).stream()
            .filter(entry -> entry.key().hash().toString().startsWith(prefix))
            .filter(entry -> guard == null || entry.key().guard().equals(guard))
            .filter(entry -> namespace.isEmpty() || entry.key().namespace().equals(namespace))
            .toList();
    if (found.isEmpty() && guard != null && prefix.length() == FULL) {
      var key = new ConfigurationKey(guard, namespace, ConfigHash.parse(prefix));
      client.clear(key, FIELD_MANAGER);
      out.printf(
          "cleared %s, for objects %s that call it invalid%n",
          key,
          namespace.isEmpty()
              ? "without a namespace (else add --config-namespace)"
              : "in namespace " + namespace);
      return ExitCode.OK;
    }
    if (found.isEmpty()) {
      err.printf(
          "shipshape: nothing that is known invalid has a hash that begins with %s; this lists it:"
              + " %s. To clear what only an object's own status calls invalid, give the hash in"
              + " full and --guard.%n",
          hash, known.command("known-invalid"));
      return ExitCode.FOUND;
    }
    if (found.size() > 1) {
      err.printf(
          "shipshape: more than one configuration has a hash that begins with %s; give more digits,"
              + " --guard or --config-namespace:%n",
          hash);
      found.forEach(entry -> err.println("  " + entry.key()));
      return ExitCode.FOUND;
    }
    var key = found.getFirst().key();
    client.clear(key, FIELD_MANAGER);
    out.println("cleared " + key);
    return ExitCode.OK;
  }
}
