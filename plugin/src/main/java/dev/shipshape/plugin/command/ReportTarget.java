package dev.shipshape.plugin.command;

import dev.shipshape.plugin.review.ReportFormat;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A report, and where it goes.
 *
 * @param file null for standard output
 */
record ReportTarget(ReportFormat format, @Nullable Path file) {
  /** Reads {@code FORMAT} or {@code FORMAT=FILE}. */
  static final class Converter implements ITypeConverter<ReportTarget> {
    @Override
    public ReportTarget convert(String text) {
      var parts = text.split("=", 2);
      return Arrays.stream(ReportFormat.values())
          .filter(each -> each.toString().equals(parts[0].toLowerCase(Locale.ROOT)))
          .findFirst()
          .map(format -> new ReportTarget(format, parts.length == 1 ? null : Path.of(parts[1])))
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "expected FORMAT or FORMAT=FILE with one of %s but was '%s'"
                          .formatted(Arrays.toString(ReportFormat.values()), text)));
    }
  }

  /** What may be typed. */
  static final class Formats implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(ReportFormat.values()).map(ReportFormat::toString).iterator();
    }
  }
}
