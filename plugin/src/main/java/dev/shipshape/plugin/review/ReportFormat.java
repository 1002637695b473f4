package dev.shipshape.plugin.review;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.janitor.ReportJson;
import dev.shipshape.plugin.review.ObjectReview.Verdict;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The formats of a review. */
public enum ReportFormat {
  TEXT(ReportFormat::text),
  JSON(review -> json(review).toPrettyString() + "\n"),
  /** For CI systems that show tests. */
  JUNIT(ReportFormat::junit),
  /** For code scanning. */
  SARIF(review -> SarifReport.of(review).toPrettyString() + "\n"),
  /** Annotations of a pull request, by GitHub's workflow commands. */
  GITHUB(ReportFormat::annotations);

  @SuppressWarnings("ImmutableEnumChecker") // Functions without state.
  private final Function<Review, String> writer;

  ReportFormat(Function<Review, String> writer) {
    this.writer = writer;
  }

  /** Formats a review, with the end of its last line. */
  public String write(Review review) {
    return writer.apply(review);
  }

  private static String text(Review review) {
    return Stream.of(
            review.findings().stream().map(ReportFormat::paragraph),
            review.problems().stream().map(each -> each + "\n"),
            Stream.of(review.summary() + "\n"))
        .flatMap(lines -> lines)
        .collect(Collectors.joining());
  }

  private static String paragraph(ObjectReview object) {
    return "%s:%d: %s %s (%s)\n%s"
        .formatted(
            Fields.file(object.file()),
            object.fieldLine(),
            object.object(),
            object.verdict(),
            object.reason(),
            object.message().indent(2));
  }

  private static ObjectNode json(Review review) {
    ObjectNode json = ReportJson.MAPPER.valueToTree(review);
    var summary = json.putObject("summary").put("reviewed", review.objects().size());
    for (var verdict : Verdict.values()) {
      summary.put(verdict.toString(), review.count(verdict));
    }
    summary.put("unguarded", review.unguarded()).put("problems", review.unreadable().size());
    return json;
  }

  private static String junit(Review review) {
    var report = new JunitReport("shipshape review");
    for (var object : review.objects()) {
      var place = "%s:%d".formatted(Fields.file(object.file()), object.fieldLine());
      report.add(
          Fields.file(object.file()),
          object.object(),
          object.verdict() == Verdict.REFUSED ? place + ": " + object.message() : "");
    }
    for (var each : review.unreadable()) {
      report.error(Fields.file(each.file()), "line " + each.line(), each.toString());
    }
    return report.xml();
  }

  private static String annotations(Review review) {
    var annotations = new StringBuilder();
    for (var each : review.findings()) {
      annotations.append(
          annotation(
              each.verdict() == Verdict.REFUSED ? "error" : "warning",
              each.file(),
              each.fieldLine(),
              "%s %s".formatted(each.object(), each.verdict()),
              each.message()));
    }
    for (var each : review.problems()) {
      annotations.append(
          annotation(
              each.note() ? "notice" : "error",
              each.file(),
              each.line(),
              each.note() ? "note" : "not readable",
              each.message()));
    }
    return annotations.toString();
  }

  private static String annotation(
      String level, String file, int line, String title, String message) {
    // Standard input is no file of the repository.
    var place = file.equals("-") ? "" : "file=%s,line=%d,".formatted(property(file), line);
    return "::%s %stitle=%s::%s\n".formatted(level, place, property(title), data(message));
  }

  private static String data(String text) {
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A");
  }

  private static String property(String text) {
    return data(text).replace(":", "%3A").replace(",", "%2C");
  }
}
