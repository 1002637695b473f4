package dev.shipshape.plugin.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.shipshape.plugin.review.KnownInvalidReader;
import dev.shipshape.plugin.review.Scan;
import dev.shipshape.service.BadSettings;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "scan",
    description = {
      "List the cluster's objects whose configuration equals one that is known invalid there: what"
          + " runs on a node and failed on another one.",
      "An object is not listed for its own failure. Nothing is changed."
    },
    mixinStandardHelpOptions = true)
final class ScanCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ClusterOptions cluster = new ClusterOptions();
  @Mixin private final NamespaceOption release = new NamespaceOption();
  @Mixin private final GuardOptions guards = new GuardOptions();
  @Mixin private final OutputOption output = new OutputOption();

  @Override
  public Integer call() throws BadSettings {
    try (var client = cluster.connect()) {
      var rules = guards.of(client, release.value(), spec.commandLine().getErr());
      var webhook = rules.webhook();
      var progress = Progress.of(spec);
      new KnownInvalidReader(rules.kinds(), webhook).read(client, progress::reading);
      var found = new Scan(rules.kinds(), webhook).of(client, progress::reading);
      var out = spec.commandLine().getOut();
      out.println(output.text(() -> table(found), () -> data(found)));
      out.flush();
      return found.isEmpty() ? ExitCode.OK : ExitCode.FOUND;
    }
  }

  private String table(List<Scan.Hit> found) {
    if (found.isEmpty()) {
      return "No object equals a configuration that is known invalid.";
    }
    var table =
        output.isWide()
            ? new Table(
                "OBJECT", "VERDICT", "EQUALS", "FAILED", "NODES", "WRITER", "HASH", "REASON")
            : new Table("OBJECT", "VERDICT", "EQUALS", "FAILED", "REASON");
    for (var hit : found) {
      if (output.isWide()) {
        table.row(
            hit.object(),
            hit.verdict(),
            hit.equal(),
            hit.since(),
            String.join(",", hit.nodes()),
            hit.writer(),
            hit.hash(),
            hit.why());
      } else {
        table.row(hit.object(), hit.verdict(), hit.equal(), hit.since(), hit.why());
      }
    }
    return table.toString();
  }

  private static ArrayNode data(List<Scan.Hit> found) {
    var list = JsonNodeFactory.instance.arrayNode();
    found.forEach(hit -> list.add(JsonOutput.of(hit)));
    return list;
  }
}
