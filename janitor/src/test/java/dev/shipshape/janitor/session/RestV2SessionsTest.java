package dev.shipshape.janitor.session;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class RestV2SessionsTest extends RestStoreContract {
  @Override
  RestVersion version() {
    return RestVersion.V2;
  }

  @Test
  void aListThatIsTooLargeForTheServiceIsSaidInItsWords() {
    IntStream.range(0, 1001).forEach(i -> complete("s-" + i));
    Assertions.assertThatExceptionOfType(KubernetesClientException.class)
        .isThrownBy(this::list)
        .withMessageContaining("/v2/sessions was answered 400: " + FakeCfs.TOO_LARGE);
  }
}
