package dev.shipshape.janitor.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.shipshape.janitor.kubernetes.ApiFailure;
import java.util.List;
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

  @Test
  void aPageThatIsNoneIsNotTheLast() {
    IntStream.range(0, 501).forEach(i -> complete("s-" + i));
    var nowhere = "{\"sessions\": [], \"next\": {\"limit\": 500}}";
    for (var body : List.of("{}", nowhere)) {
      cfs().once(request -> request.contains("after_id="), 200, body);
      assertThatExceptionOfType(ApiFailure.class).as(body).isThrownBy(this::list);
    }
  }
}
