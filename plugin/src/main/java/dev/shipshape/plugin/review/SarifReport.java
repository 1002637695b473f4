package dev.shipshape.plugin.review;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.janitor.ReportJson;
import dev.shipshape.plugin.review.ObjectReview.Verdict;
import dev.shipshape.service.Metrics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Writes a review as SARIF 2.1.0, which code scanning shows in a pull request. */
final class SarifReport {
  /** The log before a run. A rule's id is a reason of the webhook, or a word of this class. */
  private static final String TEMPLATE = "sarif.json";

  private SarifReport() {}

  static ObjectNode of(Review review) {
    var log = template();
    var run = (ObjectNode) log.at("/runs/0");
    run.withObject("/tool/driver").put("version", Metrics.version());
    var invocation = run.putArray("invocations").addObject();
    invocation.put("executionSuccessful", review.unreadable().isEmpty());
    var notifications = invocation.putArray("toolExecutionNotifications");
    for (var problem : review.problems()) {
      var notification = notifications.addObject().put("level", problem.note() ? "note" : "error");
      notification.putObject("message").put("text", problem.message());
      location(notification.putArray("locations"), problem.file(), problem.line());
    }
    var results = run.putArray("results");
    var rules = run.at("/tool/driver/rules").findValuesAsText("id");
    review.findings().forEach(each -> result(results.addObject(), each, rules));
    review.unreadable().forEach(each -> result(results.addObject(), each));
    return log;
  }

  private static void result(ObjectNode result, Problem problem) {
    result.put("ruleId", "unreadable").put("level", "error");
    result.putObject("message").put("text", problem.message());
    location(result.putArray("locations"), problem.file(), problem.line());
  }

  private static void result(ObjectNode result, ObjectReview object, List<String> rules) {
    result
        .put("ruleId", rules.contains(object.reason()) ? object.reason() : "refused")
        .put("level", object.verdict() == Verdict.REFUSED ? "error" : "warning");
    result.putObject("message").put("text", object.object() + ": " + object.message());
    // Lines of rendered output do not exist in the template.
    var isTemplate = !object.source().isEmpty();
    location(
            result.putArray("locations"),
            isTemplate ? object.source() : object.file(),
            isTemplate ? 1 : object.fieldLine())
        .putArray("logicalLocations")
        .addObject()
        .put("fullyQualifiedName", object.object() + " " + object.field())
        .put("kind", "object");
    result.putObject("partialFingerprints").put("object/v1", object.object() + " " + object.hash());
  }

  private static ObjectNode location(ArrayNode locations, String file, int line) {
    var location = locations.addObject();
    var physical = location.putObject("physicalLocation");
    physical.putObject("artifactLocation").put("uri", uri(file));
    physical.putObject("region").put("startLine", line);
    return location;
  }

  private static ObjectNode template() {
    try (var json = SarifReport.class.getResourceAsStream(TEMPLATE)) {
      return ReportJson.MAPPER.readValue(json, ObjectNode.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Relative to the working directory, which in CI is the repository. */
  private static String uri(String file) {
    var path = Fields.file(file).replace('\\', '/');
    var start =
        Stream.of("./", Path.of("").toAbsolutePath() + "/").filter(path::startsWith).findFirst();
    try {
      return new URI(null, null, path.substring(start.orElse("").length()), null).toASCIIString();
    } catch (URISyntaxException e) {
      return "unnamed";
    }
  }
}
