package dev.shipshape.plugin.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.known.KnownInvalidConfiguration;
import dev.shipshape.webhook.store.KnownInvalidClient;
import dev.shipshape.webhook.store.KnownInvalidResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "[export]",
    subcommands = KnownInvalidCommand.Export.class)
final class KnownInvalidCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final KnownInvalidOptions known = new KnownInvalidOptions();
  @Mixin private final OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    spec.commandLine()
        .getOut()
        .println(
            output.text(
                () -> known.at(KnownInvalidCommand::table),
                () -> known.at(KnownInvalidCommand::json)));
    return ExitCode.OK;
  }

  private static String table(KnownInvalidClient client) {
    var table =
        new Table("HASH", "GUARD", "VERDICT", "SOURCE", "NODES", "FAILED", "WRITER", "REASON");
    KnownInvalidOptions.newestFirst(client).forEach(entry -> row(table, entry));
    return table.toString();
  }

  private static void row(Table table, KnownInvalidConfiguration entry) {
    var key = entry.key();
    var nodes = entry.nodes();
    table.row(
        key.hash().abbreviated(),
        key.guard() + (key.namespace().isEmpty() ? "" : " in " + key.namespace()),
        entry.verdict().toString(),
        entry.source().toString(),
        nodes.size() <= 1
            ? String.join("", nodes)
            : "%s and %d more".formatted(nodes.getFirst(), nodes.size() - 1),
        entry.at().toString(),
        entry.writer(),
        entry.reason().replaceAll("\\p{Cntrl}", " "));
  }

  private static ArrayNode json(KnownInvalidClient client) {
    var list = JsonNodeFactory.instance.arrayNode();
    client
        .list()
        .forEach(
            resource -> {
              var stored = resource.json();
              stored.withObject("/metadata").remove("managedFields");
              list.add(stored);
            });
    return list;
  }

  @Command(
      name = "export",
      description = {
        "Write the configurations that are known invalid as YAML for kubectl apply in another"
            + " cluster, without server metadata, uid and nodes.",
        "There, they are refused on every node."
      },
      mixinStandardHelpOptions = true)
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
      return client.list().stream()
          .map(KnownInvalidResource::json)
          .filter(stored -> stored.at("/spec/verdict").asText().equals("Invalid"))
          .map(stored -> Serialization.asYaml(withoutServersPart(stored)))
          .collect(Collectors.joining());
    }

    private static ObjectNode withoutServersPart(JsonNode stored) {
      var exported = JsonNodeFactory.instance.objectNode();
      exported.set("apiVersion", stored.path("apiVersion"));
      exported.set("kind", stored.path("kind"));
      exported.putObject("metadata").set("name", stored.at("/metadata/name"));
      var spec = stored.path("spec").<ObjectNode>deepCopy();
      spec.remove("failures");
      if (spec.path("source") instanceof ObjectNode source) {
        source.remove("uid");
      }
      exported.set("spec", spec);
      return exported;
    }
  }
}
