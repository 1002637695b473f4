package dev.shipshape.webhook.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigHashTest {
  private static final String ABC =
      "v1:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  @Test
  void itIsTheVersionAndSha256InHexadecimal() {
    var hash = ConfigHash.of("abc".getBytes(StandardCharsets.UTF_8));

    assertThat(hash).hasToString(ABC);
    assertThat(ConfigHash.parse(ABC)).isEqualTo(hash);
    assertThat(hash.abbreviated()).isEqualTo("v1:ba7816bf8f01");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "v1:",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "v2:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "v1:BA7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
      })
  void anythingElseIsNoHash(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> ConfigHash.parse(text));
  }
}
