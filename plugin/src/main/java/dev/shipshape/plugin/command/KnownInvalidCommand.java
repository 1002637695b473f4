package dev.shipshape.plugin.command;

import static dev.shipshape.plugin.command.Table.column;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.plugin.review.KnownInvalidReader;
import dev.shipshape.webhook.known.ConfigurationKey;
import dev.shipshape.webhook.known.KnownInvalidConfiguration;
import dev.shipshape.webhook.store.KnownInvalidClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "known-invalid",
    description = {
      "List the configurations that are known invalid or suspected, newest failure first.",
      "As JSON, the KnownInvalidConfigurations as they are stored, cleared ones too."
    },
    synopsisSubcommandLabel = "[export]",
    subcommands = KnownInvalidCommand.Export.class)
final class KnownInvalidCommand implements Callable<Integer> {
  @Mixin private final KnownInvalidOptions known = new KnownInvalidOptions();
  @Mixin private final OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    output.print(
        () -> known.at(KnownInvalidCommand::json), () -> known.at(KnownInvalidCommand::table));
    return ExitCode.OK;
  }

  private static String table(KnownInvalidClient client) {
    return Table.of(
        KnownInvalidOptions.newestFirst(client),
        column("HASH", entry -> entry.key().hash().abbreviated()),
        column("GUARD", entry -> guard(entry.key())),
        column("VERDICT", entry -> entry.verdict().toString()),
        column("SOURCE", entry -> entry.source().toString()),
        column("NODES", entry -> entry.isImported() ? "imported" : nodes(entry.nodes())),
        column("FAILED", entry -> entry.lastFailedAt().toString()),
        column("WRITER", KnownInvalidConfiguration::writer),
        column("REASON", KnownInvalidConfiguration::reason));
  }

  private static String guard(ConfigurationKey key) {
    return key.guard() + (key.namespace().isEmpty() ? "" : " in " + key.namespace());
  }

  private static String nodes(List<String> nodes) {
    return nodes.size() <= 1
        ? String.join("", nodes)
        : "%s and %d more".formatted(nodes.getFirst(), nodes.size() - 1);
  }

  private static List<ObjectNode> json(KnownInvalidClient client) {
    var stored = client.list();
    stored.forEach(each -> each.withObject("/metadata").remove("managedFields"));
    return stored;
  }

  @Command(
      name = "export",
      description = {
        "Write the configurations that are known invalid as YAML for kubectl apply in another"
            + " cluster, without server metadata, uid and nodes. An annotation says when each"
            + " failed.",
        "There, they are refused on every node."
      })
  static final class Export implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private final KnownInvalidOptions known = new KnownInvalidOptions();

    @Override
    public Integer call() {
      spec.commandLine().getOut().print(known.at(Export::yaml));
      spec.commandLine().getOut().flush();
      return ExitCode.OK;
    }

    private static String yaml(KnownInvalidClient client) {
      var yaml = new StringBuilder();
      for (var stored : client.list()) {
        if (stored.at("/spec/verdict").asText().equals("Invalid")) {
          KnownInvalidReader.known(stored)
              .map(known -> withoutServersPart(stored, known.lastFailedAt()))
              .ifPresent(exported -> yaml.append(Serialization.asYaml(exported)));
        }
      }
      // An empty file could also come from a command that failed.
      return yaml.isEmpty() ? "apiVersion: v1\nkind: List\nitems: []\n" : yaml.toString();
    }

    private static ObjectNode withoutServersPart(ObjectNode stored, Instant failedAt) {
      var exported = stored.deepCopy().retain("apiVersion", "kind", "metadata", "spec");
      var imported = stored.at("/metadata/annotations").path(KnownInvalidReader.FAILED_AT).asText();
      exported
          .withObject("/metadata")
          .retain("name")
          .putObject("annotations")
          .put(
              KnownInvalidReader.FAILED_AT,
              imported.isEmpty() || !stored.at("/spec/failures").isEmpty()
                  ? failedAt.toString()
                  : imported);
      var spec = exported.withObject("/spec");
      spec.remove("failures");
      if (spec.path("source") instanceof ObjectNode source) {
        source.remove("uid");
      }
      return exported;
    }
  }
}
