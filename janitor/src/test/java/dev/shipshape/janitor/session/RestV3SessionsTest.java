package dev.shipshape.janitor.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RestV3SessionsTest extends RestSessionsContract {
  @Override
  RestVersion version() {
    return RestVersion.V3;
  }

  @Test
  void aListIsReadPageByPageWithoutMissingAny() {
    var expected = IntStream.range(0, 1201).mapToObj(i -> "s-" + i).sorted().toList();
    expected.forEach(this::complete);
    assertThat(list()).extracting(Session::name).containsExactlyElementsOf(expected);
    assertThat(cfs().requests).hasSize(3);
  }
}
