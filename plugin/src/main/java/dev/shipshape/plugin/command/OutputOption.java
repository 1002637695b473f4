package dev.shipshape.plugin.command;

import dev.shipshape.audit.Text;
import dev.shipshape.janitor.ReportJson;
import dev.shipshape.plugin.command.Table.Column;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints results for people and for programs, as kubectl does. */
final class OutputOption {
  private enum Form {
    TABLE,
    WIDE,
    JSON,
    YAML
  }

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      defaultValue = "table",
      description = "One of: table, wide, json, yaml. Default: ${DEFAULT-VALUE}")
  private Form form = Form.TABLE;

  /**
   * Prints a result; of the text, what could move a terminal's cursor is escaped here.
   *
   * @param data for programs: records, whose fields keep their names, or JSON
   */
  void print(Supplier<?> data, Supplier<String> text) {
    var out = spec.commandLine().getOut();
    var result =
        switch (form) {
          case TABLE, WIDE -> Text.printable(text.get()).stripTrailing();
          case JSON -> ReportJson.MAPPER.valueToTree(data.get()).toPrettyString();
          case YAML -> Serialization.asYaml(ReportJson.MAPPER.valueToTree(data.get())).strip();
        };
    out.print(result.isEmpty() ? "" : result + System.lineSeparator());
    out.flush();
  }

  /**
   * @param none the text for an empty list
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // The array is only read.
  final <T> void print(List<T> rows, String none, Column<T>... columns) {
    print(
        () -> rows,
        () ->
            rows.isEmpty()
                ? none
                : Table.of(
                    rows,
                    Arrays.stream(columns)
                        .filter(column -> form == Form.WIDE || !column.isWide())
                        .toList()));
  }
}
