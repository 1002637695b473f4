package dev.shipshape.plugin.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Locale;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** For commands that answer people and programs, as kubectl's. */
final class OutputOption {
  /** In which form. */
  private enum Form {
    TABLE,
    /** With further columns, where there are any. */
    WIDE,
    JSON,
    YAML;

    /** As it is written on the command line. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      defaultValue = "table",
      description = "One of: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}")
  private Form form = Form.TABLE;

  /** Whether people are to see the further columns. */
  boolean isWide() {
    return form == Form.WIDE;
  }

  /** The answer, without the end of its last line. */
  String text(Supplier<String> table, Supplier<? extends JsonNode> data) {
    return switch (form) {
      case TABLE, WIDE -> table.get();
      case JSON, YAML -> text(data.get());
    };
  }

  /** Whether programs are to read the answer. */
  boolean isData() {
    return form == Form.JSON || form == Form.YAML;
  }

  /** An answer for programs, without the end of its last line. */
  String text(JsonNode data) {
    return form == Form.YAML ? Serialization.asYaml(data).strip() : data.toPrettyString();
  }
}
