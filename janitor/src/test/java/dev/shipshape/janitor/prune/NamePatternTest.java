package dev.shipshape.janitor.prune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamePatternTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "^",
        "^$",
        ".*",
        ".+",
        "[a-z].*",
        "(batcher)?.*",
        "ba",
        "bat*",
        "bat?",
        "bat{0}",
        "batcher-.*|.*",
        "batcher-.*|",
        "x|batcher-.*",
        "\\Qbatcher\\E|.*",
        "batcher\\Q(\\E|.*",
        "bat[(]|.*",
        "bat[[)](]|.*",
        "batcher(?x)#(\n|.*",
        "(?i)batcher-.*",
        "batcher-["
      })
  void aPatternThatCouldMatchEveryNameIsRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> new NamePattern(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"batcher-.*", "^batcher-.*$", "batcher-(a|b)", "batcher-[|]", "batcher\\|x"})
  void aPatternWithALiteralBeginningIsTaken(String text) {
    assertThat(new NamePattern(text).matches("boa-1")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"batcher-[](]|.*", "batcher-[^](]|.*"})
  void aPatternThatGetsPastTheReadingStillMatchesOnlyItsPrefix(String text) {
    try {
      assertThat(new NamePattern(text).matches("boa-1")).isFalse();
    } catch (IllegalArgumentException refused) {
      assertThat(refused).hasMessageContaining(text);
    }
  }

  @Test
  void theWholeNameMustMatch() {
    var pattern = new NamePattern("^batcher-(a|b)$");
    assertThat(pattern.matches("batcher-a")).isTrue();
    assertThat(pattern.matches("my-batcher-a")).isFalse();
    assertThat(pattern.matches("batcher-ab")).isFalse();
    assertThat(pattern.matches("batcher-a\n")).isFalse();
  }
}
