package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.SettingsReader;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.GuardReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The guards of all presets, and the rules that make their identities. */
public final class PresetGuards {
  private PresetGuards() {}

  public static Guard named(String name) {
    return GuardReader.PRESETS.stream()
        .flatMap(preset -> GuardReader.preset(preset).stream())
        .filter(guard -> guard.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** The identity section of each guard, as it is written; of guards with the same, the first's. */
  static Map<String, ObjectNode> rules() {
    var rules = new LinkedHashMap<String, ObjectNode>();
    for (var preset : GuardReader.PRESETS) {
      for (var guard : yaml(preset).path("guards")) {
        if (!rules.containsValue(guard.path("identity"))) {
          rules.put(guard.path("name").asText(), (ObjectNode) guard.path("identity"));
        }
      }
    }
    return rules;
  }

  /** That of one guard. */
  static ObjectNode rules(String name) {
    return Objects.requireNonNull(rules().get(name));
  }

  /** The identity of a guard with these rules. */
  static Identity identity(JsonNode rules) {
    var settings = JsonNodeFactory.instance.objectNode().put("apiVersion", "shipshape.dev/v1");
    var guard = settings.putArray("guards").addObject().put("name", "own").put("stampOnly", true);
    guard
        .putObject("resource")
        .put("group", "example.com")
        .put("version", "v1")
        .put("plural", "owns")
        .put("kind", "Own");
    guard.set("identity", rules);
    try {
      return SettingsReader.parse("guard.yaml", settings.toString(), GuardReader::read)
          .getFirst()
          .identity();
    } catch (BadSettings e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static JsonNode yaml(String preset) {
    var file = "/dev/shipshape/webhook/presets/" + preset + ".yaml";
    try (var stream = PresetGuards.class.getResourceAsStream(file)) {
      return new JsonMapper()
          .valueToTree(new Load(LoadSettings.builder().build()).loadFromInputStream(stream));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
