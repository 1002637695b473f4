package dev.shipshape.plugin.command;

import static dev.shipshape.plugin.command.Table.column;
import static dev.shipshape.plugin.command.Table.wide;

import dev.shipshape.plugin.review.KnownInvalidReader;
import dev.shipshape.plugin.review.Scan;
import dev.shipshape.service.BadSettings;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "scan",
    description = {
      "List the cluster's objects whose configuration equals one that is known invalid there: what"
          + " runs on a node and failed on another one.",
      "An object is not listed for its own failure. Nothing is changed."
    })
final class ScanCommand implements Callable<Integer> {
  @Mixin private final ClusterOptions cluster = new ClusterOptions();
  @Mixin private final NamespaceOption release = new NamespaceOption();
  @Mixin private final GuardOptions guards = new GuardOptions();
  @Mixin private final OutputOption output = new OutputOption();

  @Override
  public Integer call() throws BadSettings {
    try (var client = cluster.connect()) {
      var kinds = guards.of(client, release.value());
      var webhook = kinds.webhook();
      new KnownInvalidReader(kinds, webhook).read(client);
      var found = new Scan(kinds, webhook).of(client);
      output.print(
          found,
          "No object equals a configuration that is known invalid.",
          column("OBJECT", Scan.Hit::object),
          column("VERDICT", Scan.Hit::verdict),
          column("EQUALS", hit -> hit.equal().object()),
          column("FAILED", hit -> hit.equal().since()),
          wide("NODES", hit -> String.join(",", hit.equal().nodes())),
          wide("WRITER", hit -> hit.equal().writer()),
          wide("HASH", Scan.Hit::hash),
          column("REASON", hit -> hit.equal().why()));
      return found.isEmpty() ? ExitCode.OK : ExitCode.FOUND;
    }
  }
}
