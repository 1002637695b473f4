package dev.shipshape.plugin.review;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.plugin.review.ObjectReview.Verdict;
import dev.shipshape.service.Metrics;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Writes a review as SARIF 2.1.0, which code scanning shows in a pull request. */
final class SarifReport {
  /** The reasons for results, with their texts. */
  private enum Rule {
    KNOWN_INVALID(
        "known-invalid",
        "An identical configuration failed before; the cluster refuses it at admission",
        "Change the configuration. Once what made it fail is repaired, remove the record of the"
            + " failure that the message names."),
    SUSPECTED(
        "suspected",
        "An identical configuration is said to have failed; the cluster admits it with a warning",
        "Look at the object that the message names before you roll the configuration out."),
    EQUAL_BUT_FOR_SECRETS(
        "equal-but-for-secrets",
        "The configuration equals a known invalid one but for secrets, which are not compared",
        "Check that the secret is what was wrong."),
    OTHER("refused", "The webhook would refuse the object", "See the message."),
    UNREADABLE(
        "unreadable",
        "The file or object cannot be read, so it is not judged",
        "Correct it, or leave the file out of the review.");

    private final String id;
    private final String title;
    private final String help;

    Rule(String id, String title, String help) {
      this.id = id;
      this.title = title;
      this.help = help;
    }

    static Rule of(ObjectReview object) {
      return Stream.of(values())
          .filter(rule -> rule.id.equals(object.reason()))
          .findFirst()
          .orElse(OTHER);
    }

    String level() {
      return this == SUSPECTED || this == EQUAL_BUT_FOR_SECRETS ? "warning" : "error";
    }
  }

  private SarifReport() {}

  static ObjectNode of(Review review) {
    var log = JsonNodeFactory.instance.objectNode();
    log.put("$schema", "https://json.schemastore.org/sarif-2.1.0.json").put("version", "2.1.0");
    var run = log.putArray("runs").addObject();
    var driver = run.putObject("tool").putObject("driver");
    driver.put("name", "shipshape").put("version", Metrics.version());
    var rules = driver.putArray("rules");
    for (var rule : Rule.values()) {
      var described = rules.addObject().put("id", rule.id).put("name", rule.id);
      described.putObject("shortDescription").put("text", rule.title);
      described.putObject("help").put("text", rule.help);
      described.putObject("defaultConfiguration").put("level", rule.level());
    }
    var invocation = run.putArray("invocations").addObject();
    invocation.put("executionSuccessful", review.unreadable().isEmpty());
    var notifications = invocation.putArray("toolExecutionNotifications");
    for (var problem : review.problems()) {
      var notification = notifications.addObject().put("level", problem.note() ? "note" : "error");
      notification.putObject("message").put("text", problem.message());
      location(notification.putArray("locations"), problem.file(), problem.line());
    }
    var results = run.putArray("results");
    review.findings().forEach(each -> result(results.addObject(), each));
    review.unreadable().forEach(each -> result(results.addObject(), each));
    return log;
  }

  private static void result(ObjectNode result, Problem problem) {
    result.put("ruleId", Rule.UNREADABLE.id).put("level", "error");
    result.putObject("message").put("text", problem.message());
    location(result.putArray("locations"), problem.file(), problem.line());
  }

  private static void result(ObjectNode result, ObjectReview object) {
    var rule = Rule.of(object);
    result
        .put("ruleId", rule.id)
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
