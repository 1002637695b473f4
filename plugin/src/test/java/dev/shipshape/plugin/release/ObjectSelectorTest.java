package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.MissingNode;
import dev.shipshape.plugin.YamlDocuments;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectSelectorTest {
  @Test
  void oneThatAsksForNothingNeedsNoLabels() {
    assertThat(ObjectSelector.of(MissingNode.getInstance()).labels()).hasValue(Map.of());
    assertThat(labels("{}")).isEmpty();
    assertThat(labels("{matchExpressions: [{key: a, operator: DoesNotExist}]}")).isEmpty();
    assertThat(labels("{matchExpressions: [{key: a, operator: NotIn, values: [b]}]}")).isEmpty();
  }

  @Test
  void everyLabelThatIsAskedForIsGiven() {
    var selector =
        """
        {matchLabels: {a: one}, matchExpressions: [
          {key: b, operator: In, values: [two, three]},
          {key: b, operator: In, values: [four, three]},
          {key: c, operator: Exists},
          {key: c, operator: NotIn, values: [probe-0, probe-2]},
          {key: d, operator: DoesNotExist},
          {key: e, operator: In, values: [""]}]}
        """;

    assertThat(labels(selector))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("a", "one", "b", "three", "c", "probe-1", "e", ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{matchLabels: {a: b}, matchExpressions: [{key: a, operator: DoesNotExist}]}",
        "{matchLabels: {a: b}, matchExpressions: [{key: a, operator: NotIn, values: [b]}]}",
        "{matchLabels: {a: b}, matchExpressions: [{key: a, operator: In, values: [c]}]}"
      })
  void oneThatContradictsItselfIsMetByNoLabels(String selector) {
    assertThat(read(selector).labels()).isEmpty();
  }

  private static Map<String, String> labels(String selector) {
    return read(selector).labels().orElseThrow();
  }

  private static ObjectSelector read(String selector) {
    var yaml = YamlDocuments.read("objectSelector: " + selector).getFirst();
    return ObjectSelector.of(yaml.path("objectSelector"));
  }
}
