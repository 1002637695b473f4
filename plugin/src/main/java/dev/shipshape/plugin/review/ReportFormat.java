package dev.shipshape.plugin.review;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.plugin.review.ObjectReview.Verdict;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The formats of a review. */
public enum ReportFormat {
  /** For people. */
  TEXT {
    @Override
    public String write(Review review) {
      return Stream.of(
              review.findings().stream().map(ReportFormat::paragraph),
              review.problems().stream().map(each -> each + "\n"),
              Stream.of(review.summary() + "\n"))
          .flatMap(lines -> lines)
          .collect(Collectors.joining());
    }
  },
  /** For programs. */
  JSON {
    @Override
    public String write(Review review) {
      return json(review).toPrettyString() + "\n";
    }
  },
  /** For CI systems that show tests. */
  JUNIT {
    @Override
    public String write(Review review) {
      var report = new JunitReport("shipshape review");
      for (var object : review.objects()) {
        var place = "%s:%d".formatted(Fields.file(object.file()), object.line());
        report.add(
            Fields.file(object.file()),
            object.object(),
            object.verdict() == Verdict.REFUSED ? place + ": " + object.message() : "");
      }
      review
          .unreadable()
          .forEach(
              each ->
                  report.error(Fields.file(each.file()), "line " + each.line(), each.toString()));
      return report.xml();
    }
  },
  /** For code scanning. */
  SARIF {
    @Override
    public String write(Review review) {
      return SarifReport.of(review).toPrettyString() + "\n";
    }
  },
  /** Annotations of a pull request, by GitHub's workflow commands. */
  GITHUB {
    @Override
    public String write(Review review) {
      return Stream.concat(
              review.findings().stream()
                  .map(
                      each ->
                          annotation(
                              each.verdict() == Verdict.REFUSED ? "error" : "warning",
                              each.file(),
                              each.fieldLine(),
                              "%s %s".formatted(each.object(), each.verdict()),
                              each.message())),
              review.problems().stream()
                  .map(
                      each ->
                          annotation(
                              each.isNote() ? "notice" : "error",
                              each.file(),
                              each.line(),
                              each.isNote() ? "note" : "not readable",
                              each.message())))
          .collect(Collectors.joining());
    }
  };

  /** Formats a review, with the end of its last line. */
  public abstract String write(Review review);

  /** The option's value on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
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
    var json = JsonNodeFactory.instance.objectNode();
    var summary = json.putObject("summary");
    summary.put("reviewed", review.objects().size());
    for (var verdict : Verdict.values()) {
      summary.put(verdict.toString(), review.count(verdict));
    }
    summary.put("unguarded", review.unguarded()).put("problems", review.unreadable().size());
    var objects = json.putArray("objects");
    for (var object : review.objects()) {
      var one =
          objects
              .addObject()
              .put("file", Fields.file(object.file()))
              .put("line", object.line())
              .put("object", object.object())
              .put("verdict", object.verdict().toString())
              .put("reason", object.reason());
      if (object.isFinding()) {
        one.put("hash", object.hash()).put("message", object.message());
        one.put("field", object.field()).put("fieldLine", object.fieldLine());
        var equals = one.putArray("equals");
        for (var equal : object.matches()) {
          var match = equals.addObject().put("object", equal.object());
          equal.nodes().forEach(match.putArray("nodes")::add);
          match.put("since", equal.since()).put("writer", equal.writer()).put("why", equal.why());
        }
      }
    }
    var problems = json.putArray("problems");
    for (var problem : review.problems()) {
      problems
          .addObject()
          .put("file", Fields.file(problem.file()))
          .put("line", problem.line())
          .put("message", problem.message())
          .put("note", problem.isNote());
    }
    return json;
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
