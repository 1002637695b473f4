package dev.shipshape.webhook.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldPathTest {
  @ParameterizedTest
  @ValueSource(strings = {"a", "a.b", "a[]", "a[].b[].c", "a.*.b", "a[][]", "*"})
  void aPathIsWrittenAsItWasRead(String text) {
    assertThat(FieldPath.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "a.", ".a", "a[", "a]", "a[0]", "a b", "a..b"})
  void anythingElseIsRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> FieldPath.parse(text));
  }

  @Test
  void namesAndTheStarAtOnePlaceAreRefused() {
    var rules =
        List.<Rule>of(
            new Rule.Drop(FieldPath.parse("a.*.x")), new Rule.Drop(FieldPath.parse("a.b.y")));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Identity("spec", Set.of(), rules))
        .withMessageContaining("a.b.y");
  }
}
