package dev.shipshape.webhook.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RuleTreeTest {
  @ParameterizedTest
  @ValueSource(strings = {"a", "a.b", "a[]", "a[].b[].c", "a.*.b", "a[][]", "*"})
  void aPlaceIsAPath(String path) {
    assertThat(new RuleTree().spelling(path, TextFormat.MAC).isEmpty()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "a.", ".a", "a[", "a]", "a[0]", "a b", "a..b", "/a/b", "$.a"})
  void anythingElseIsRefused(String path) {
    assertThatIllegalArgumentException().isThrownBy(() -> new RuleTree().drop(path));
  }

  @Test
  void namesAndTheStarAtOnePlaceAreRefused() {
    var rules = new RuleTree().drop("a.*.x");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> rules.drop("a.b.y"))
        .withMessageContaining("a.b.y");
  }
}
