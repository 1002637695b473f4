package dev.shipshape.plugin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.memory.MemoryDesk;
import dev.shipshape.webhook.memory.MemoryDesk.Listing;
import dev.shipshape.webhook.memory.Remembered;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "known-invalid",
    description =
        "Lists the configurations that the webhook remembers as invalid or suspected, newest first;"
            + " with their hashes in full as JSON only.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:listed",
      "1:that namespace has no such memory",
      "2:the command line is wrong",
      "4:could not run, for instance because a right is missing"
    })
final class KnownInvalidCommand implements Callable<Integer> {
  private static final List<String> HEADINGS =
      List.of("HASH", "GUARD", "VERDICT", "ORIGIN", "NODES", "SINCE", "BY", "REASON");

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final MemoryOptions memory = new MemoryOptions();
  @Mixin private final OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    var found = memory.at(spec.commandLine().getErr(), MemoryDesk::list);
    found.ifPresent(this::show);
    return found.isPresent() ? ExitCode.OK : ExitCode.FOUND;
  }

  private void show(Listing listing) {
    switch (output.value()) {
      case TABLE -> print(listing);
      case JSON -> spec.commandLine().getOut().println(json(listing));
    }
    if (listing.unreadable() > 0) {
      spec.commandLine()
          .getErr()
          .printf(
              "shipshape: %d entries of the ConfigMap cannot be read and count for nothing%n",
              listing.unreadable());
    }
  }

  private void print(Listing listing) {
    var rows = new ArrayList<List<String>>();
    rows.add(HEADINGS);
    listing.entries().forEach(entry -> rows.add(row(entry)));
    var out = spec.commandLine().getOut();
    for (var row : rows) {
      var line = new StringBuilder();
      for (var column = 0; column < row.size(); column++) {
        line.append(row.get(column))
            .append(" ".repeat(3 + widest(rows, column) - row.get(column).length()));
      }
      out.println(line.toString().stripTrailing());
    }
  }

  private static int widest(List<List<String>> rows, int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }

  private static List<String> row(Remembered.Invalid entry) {
    return List.of(
        entry.key().hash().abbreviated(),
        entry.key().guard(),
        verdict(entry),
        entry.origin().toString(),
        nodes(entry.nodes()),
        entry.at().toString(),
        entry.by(),
        entry.reason().replaceAll("\\p{Cntrl}", " "));
  }

  private static String verdict(Remembered.Invalid entry) {
    return entry.suspected() ? "Suspected" : "Invalid";
  }

  private static String nodes(List<String> nodes) {
    return nodes.isEmpty()
        ? ""
        : nodes.getFirst() + (nodes.size() == 1 ? "" : " and %d more".formatted(nodes.size() - 1));
  }

  private static String json(Listing listing) {
    var list = JsonNodeFactory.instance.arrayNode();
    listing.entries().forEach(entry -> list.add(json(entry)));
    return list.toPrettyString();
  }

  private static ObjectNode json(Remembered.Invalid entry) {
    var origin = entry.origin();
    var json = JsonNodeFactory.instance.objectNode();
    json.put("hash", entry.key().hash().toString()).put("guard", entry.key().guard());
    json.put("verdict", verdict(entry));
    json.putObject("origin")
        .put("kind", origin.kind())
        .put("namespace", origin.namespace())
        .put("name", origin.name())
        .put("uid", origin.uid());
    entry.nodes().forEach(json.putArray("nodes")::add);
    return json.put("at", entry.at().toString())
        .put("by", entry.by())
        .put("reason", entry.reason());
  }
}
