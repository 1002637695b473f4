package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.JanitorSettings;
import dev.shipshape.service.BadSettings;
import dev.shipshape.webhook.config.WebhookSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/**
 * The settings that the chart renders, checked by the readers of the servers that will read them,
 * before anything is changed.
 */
record RenderedSettings(HelmRelease release, String chart) {
  /** {@code file:line: field: message}; a mistake of the file as a whole names no field. */
  private static final Pattern PROBLEM = Pattern.compile("[^:]+:\\d+: (?:(\\S+): )?(.*)");

  private static final Pattern GUARD = Pattern.compile("guards\\[(\\d+)](.*)");

  @FunctionalInterface
  private interface Reader {
    void read(String file, String yaml) throws BadSettings;
  }

  /**
   * Refuses what a server would refuse.
   *
   * @throws BadSettings with every mistake, by the name of the value that says it
   */
  void check(Manifest rendered) throws BadSettings, InterruptedException {
    var problems = new ArrayList<String>();
    check(rendered, ReleaseSettings.WEBHOOK, WebhookSettings::parse, problems);
    check(rendered, ReleaseSettings.JANITOR, JanitorSettings::parse, problems);
    if (!problems.isEmpty()) {
      throw new BadSettings(problems);
    }
  }

  private void check(Manifest rendered, String file, Reader reader, List<String> problems)
      throws InterruptedException {
    var yaml = rendered.settings().file(file).orElse("");
    try {
      if (!yaml.isEmpty()) {
        reader.read(file, yaml);
      }
    } catch (BadSettings e) {
      // The chart's own values say what a user sets by which value.
      var defaults = release.defaults(chart);
      e.problems().forEach(problem -> problems.add(byValue(defaults, file, problem, yaml)));
    }
  }

  private static String byValue(JsonNode defaults, String file, String problem, String yaml) {
    var parts = PROBLEM.matcher(problem);
    if (!parts.matches() || parts.group(1) == null) {
      return problem;
    }
    var field = parts.group(1);
    var value =
        file.equals(ReleaseSettings.WEBHOOK)
            ? webhook(defaults, field, yaml)
            : janitor(defaults, field);
    return "%s: %s (%s: %s)".formatted(value, parts.group(2), file, field);
  }

  private static String webhook(JsonNode defaults, String field, String yaml) {
    var guard = GUARD.matcher(field);
    if (guard.matches()) {
      var presets = presets(yaml);
      var number = Integer.parseInt(guard.group(1));
      return number < presets
          ? "guard.presets[%d]".formatted(number)
          : "guard.custom[%d]%s".formatted(number - presets, guard.group(2));
    }
    return switch (head(field)) {
      case "guards" -> "guard.custom";
      case "drain" -> "guard.drainSeconds";
      case "drainConnections" -> "guard.drainConnectionsSeconds";
      case "certificates" -> field.replaceFirst("\\.", ".settings.");
      case "clientAuthority" -> field;
      default -> value(defaults, "guard", field);
    };
  }

  private static String janitor(JsonNode defaults, String field) {
    return switch (head(field)) {
      case "prune" -> value(defaults, "pruning", tail(field));
      case "restart" -> value(defaults, "restarts", tail(field));
      case "operator" -> value(defaults, "operator", tail(field));
      default -> field;
    };
  }

  /** A field without a value of its own is set by the section's {@code settings}. */
  private static String value(JsonNode defaults, String section, String field) {
    var own = defaults.path(section).has(head(field));
    return "%s.%s%s".formatted(section, own ? "" : "settings.", field);
  }

  /** The chart puts them before the guards of one's own. */
  private static int presets(String yaml) {
    var guards = YamlDocuments.read(yaml).getFirst().path("guards");
    return (int)
        StreamSupport.stream(guards.spliterator(), false)
            .takeWhile(guard -> guard.has("preset"))
            .count();
  }

  private static String head(String field) {
    return List.of(field.split("[.\\[]", 2)).getFirst();
  }

  private static String tail(String field) {
    return field.substring(field.indexOf('.') + 1);
  }
}
