package dev.shipshape.webhook.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** A configuration of each guard, every single field of it changed, one by one. */
class IdentityPropertiesTest {
  /** What does not count, by the end of its path. */
  private static final List<String> IGNORED = List.of("/spec/revision", "/config/revision");

  @ParameterizedTest
  @FieldSource("dev.shipshape.webhook.identity.GuardSamples#GUARDS")
  void everyChangedFieldMakesItAnother(String guard) {
    var identity = PresetGuards.named(guard).identity();
    var sample = sample(guard);
    var seen = new HashMap<ConfigHash, String>();
    seen.put(identity.hash(sample), "the sample");
    for (var path : scalars(sample)) {
      var changed = sample.deepCopy();
      change(changed, path);

      var hash = identity.hash(changed);

      if (IGNORED.stream().anyMatch(path::endsWith)) {
        assertThat(hash).as(path).isEqualTo(identity.hash(sample));
      } else {
        assertThat(seen.put(hash, path)).as("the same as with %s changed", path).isNull();
      }
    }
    assertThat(seen).hasSizeGreaterThan(30);
  }

  private static ObjectNode sample(String guard) {
    return JsonNodeFactory.instance.objectNode().set("spec", GuardSamples.spec(guard));
  }

  private static List<String> scalars(JsonNode node) {
    var paths = new ArrayList<String>();
    collect(node, "", paths);
    return paths;
  }

  private static void collect(JsonNode node, String path, List<String> paths) {
    switch (node) {
      case ObjectNode object ->
          object
              .properties()
              .forEach(member -> collect(member.getValue(), path + "/" + member.getKey(), paths));
      case ArrayNode list -> {
        for (var index = 0; index < list.size(); index++) {
          collect(list.get(index), path + "/" + index, paths);
        }
      }
      default -> paths.add(path);
    }
  }

  private static void change(ObjectNode object, String path) {
    var pointer = JsonPointer.compile(path);
    var old = object.at(pointer);
    var nodes = JsonNodeFactory.instance;
    JsonNode other =
        switch (old.getNodeType()) {
          case NUMBER -> nodes.numberNode(old.asInt() + 100_000);
          case BOOLEAN -> nodes.booleanNode(!old.asBoolean());
          default -> nodes.textNode("other-" + old.asText());
        };
    var last = pointer.last();
    switch (object.at(pointer.head())) {
      case ArrayNode list -> list.set(last.getMatchingIndex(), other);
      case ObjectNode holder -> holder.set(last.getMatchingProperty(), other);
      default -> throw new AssertionError(path);
    }
  }
}
