package dev.shipshape.bench;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The table. */
final class Report {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private final Record size;
  private final List<Figure> figures = new ArrayList<>();

  /**
   * An empty table.
   *
   * @param size how much is measured
   */
  Report(Record size) {
    this.size = size;
  }

  /** Adds a line, and says it at once: the rest takes minutes. */
  void add(Figure figure) {
    figures.add(figure);
    System.err.println("bench: " + line(figure).stripTrailing());
  }

  void addAll(List<Figure> more) {
    more.forEach(this::add);
  }

  void print() {
    System.out.printf("%-66s %10s %-9s %-9s %s%n", "", "figure", "", "target", "verdict");
    figures.forEach(figure -> System.out.println(line(figure).stripTrailing()));
  }

  private static String line(Figure figure) {
    return "%-66s %10s %-9s %-9s %s"
        .formatted(
            figure.what(),
            Figure.number(figure.value()),
            figure.unit(),
            figure.target(),
            figure.verdict());
  }

  void write(Path file) throws IOException {
    var json = JsonNodeFactory.instance.objectNode();
    json.put("processors", Runtime.getRuntime().availableProcessors());
    json.put("java", Runtime.version().toString());
    json.set("size", MAPPER.valueToTree(size));
    var lines = json.putArray("figures");
    for (var figure : figures) {
      lines
          .addObject()
          .put("what", figure.what())
          .put("figure", figure.value())
          .put("unit", figure.unit())
          .put("target", figure.target())
          .put("verdict", figure.verdict());
    }
    Files.writeString(file, MAPPER.writeValueAsString(json) + "\n");
  }
}
