package dev.shipshape.plugin.command;

import dev.shipshape.audit.Text;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Formats rows in columns that are as wide as their longest cell. A cell is one line. */
final class Table {
  private static final String GAP = "   ";

  private Table() {}

  /**
   * @param isWide whether only {@code -o wide} shows it
   */
  record Column<T>(String title, boolean isWide, Function<T, String> cell) {}

  static <T> Column<T> column(String title, Function<T, String> cell) {
    return new Column<>(title, false, cell);
  }

  static <T> Column<T> wide(String title, Function<T, String> cell) {
    return new Column<>(title, true, cell);
  }

  /** Formats the table without the last line's end. */
  static <T> String of(List<T> rows, List<Column<T>> columns) {
    var texts = new ArrayList<List<String>>();
    texts.add(columns.stream().map(Column::title).toList());
    rows.forEach(
        row ->
            texts.add(
                columns.stream()
                    .map(column -> Text.printableLine(column.cell().apply(row)))
                    .toList()));
    var widths =
        IntStream.range(0, columns.size())
            .map(i -> texts.stream().mapToInt(text -> text.get(i).length()).max().orElse(0))
            .toArray();
    return texts.stream().map(text -> line(text, widths)).collect(Collectors.joining("\n"));
  }

  /** Formats a table with all its columns. */
  @SafeVarargs
  @SuppressWarnings("varargs") // The array is only read.
  static <T> String of(List<T> rows, Column<T>... columns) {
    return of(rows, Arrays.stream(columns).toList());
  }

  private static String line(List<String> row, int[] widths) {
    return IntStream.range(0, row.size())
        .mapToObj(i -> row.get(i) + " ".repeat(widths[i] - row.get(i).length()))
        .collect(Collectors.joining(GAP))
        .stripTrailing();
  }
}
