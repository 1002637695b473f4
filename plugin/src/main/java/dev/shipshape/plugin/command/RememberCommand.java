package dev.shipshape.plugin.command;

import dev.shipshape.service.BadSettings;
import dev.shipshape.webhook.known.KnownInvalidConfiguration;
import dev.shipshape.webhook.store.KnownInvalidClient;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "remember",
    description = {
      "Make a configuration known invalid that has not failed in this cluster: every object in FILE"
          + " becomes a KnownInvalidConfiguration, and is refused on every node. What is never"
          + " refused (stampOnly), as a node's copy of a revision, is an error.",
      "Of a resource whose definition has defaults, give objects as the API server stores them"
          + " (kubectl create --dry-run=server --output yaml)."
    })
final class RememberCommand implements Callable<Integer> {
  private static final String FIELD_MANAGER = "helm-shipshape-remember";

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final KnownInvalidOptions known = new KnownInvalidOptions();
  @Mixin private final NamespaceOption release = new NamespaceOption();
  @Mixin private final GuardOptions guards = new GuardOptions();

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      required = true,
      description = "Why it is invalid; each refusal shows it.")
  private String reason = "";

  @Parameters(
      paramLabel = "FILE",
      description = "Objects or lists of them in YAML or JSON; - for standard input.")
  private String file = "";

  @Override
  public Integer call() throws BadSettings {
    var manifests = new Manifests(spec.commandLine(), known.rules(guards, release.value()));
    var entries = manifests.read(List.of(file));
    var stamped = entries.stream().filter(each -> each.guard().stampOnly()).toList();
    stamped.stream()
        .map(each -> each.object().problem("is never refused (stampOnly)"))
        .forEach(spec.commandLine().getErr()::println);
    if (manifests.reportProblems() || !stamped.isEmpty()) {
      return ExitCode.BAD_INPUT;
    }
    return known.at(client -> remember(client, entries));
  }

  private int remember(KnownInvalidClient client, List<Manifests.Guarded> entries) {
    for (var entry : entries) {
      var configuration =
          KnownInvalidConfiguration.declared(entry.guard(), entry.object().json(), reason);
      client.declare(configuration, FIELD_MANAGER);
      spec.commandLine().getOut().printf("%s is known invalid%n", configuration.key().objectName());
    }
    return ExitCode.OK;
  }
}
