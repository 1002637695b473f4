package dev.shipshape.janitor.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RestV3SessionsTest extends RestStoreContract {
  @Override
  RestVersion version() {
    return RestVersion.V3;
  }

  /** As with an Ansible limit that names hundreds of nodes. */
  @Test
  void sessionsOfTenKilobytesAreListed() {
    IntStream.range(0, 400)
        .mapToObj(i -> "s-" + i)
        .peek(this::complete)
        .forEach(name -> cfs().tag(name, "limit", "x1000c0s0b0n0,".repeat(750)));
    assertThat(list()).hasSize(400);
  }

  @Test
  void aPageThatIsNoneIsNotTheLast() {
    IntStream.range(0, 101).forEach(i -> complete("s-" + i));
    var nowhere = "{\"sessions\": [], \"next\": {\"limit\": 100}}";
    var empty = "{\"sessions\": [], \"next\": {\"limit\": 100, \"after_id\": \"t\"}}";
    for (var body : List.of("{}", nowhere, empty)) {
      cfs().once(request -> request.contains("after_id="), 200, body);
      assertThatExceptionOfType(KubernetesClientException.class).as(body).isThrownBy(this::list);
    }
  }

  /** It would not fit into the heap of the chart. */
  @Test
  void anAnswerOfUnlimitedSizeIsRefused() {
    cfs().once(request -> request.startsWith("GET "), 200, " ".repeat(9 << 20) + "{}");

    assertThatExceptionOfType(KubernetesClientException.class).isThrownBy(this::list);
  }

  @Test
  void whatMarksASessionInAnUnknownShapeKeepsIt() {
    for (var shape :
        List.of(
            "\"tags\": [\"shipshape.dev/keep\"]",
            "\"status\": {\"artifacts\": \"image\"}",
            "\"status\": {\"artifacts\": [\"image\"]}",
            "\"status\": {\"artifacts\": [{\"result_id\": [\"image\"]}]}")) {
      cfs()
          .once(
              request -> request.startsWith("GET "),
              200,
              "{\"sessions\": [{\"name\": \"s\", %s}]}".formatted(shape));
      assertThat(list().getFirst().marks())
          .as(shape)
          .containsAnyOf(Session.Mark.KEEP, Session.Mark.IMAGE_RESULT);
    }
  }

  /** As where a gateway drops the query: the list would never end. */
  @Test
  @Timeout(value = 20, unit = TimeUnit.SECONDS)
  void aPageThatWasThereBeforeIsRefused() {
    IntStream.range(0, 101).forEach(i -> complete("s-%04d".formatted(i)));
    var next = "\"next\": {\"limit\": 100, \"after_id\": \"s-0099\"}";
    for (var sessions : List.of("", "{\"name\": \"s-0000\"}", "{\"name\": \"s-0099\"}")) {
      cfs().heal();
      cfs()
          .always(
              request -> request.contains("after_id="),
              200,
              "{\"sessions\": [%s], %s}".formatted(sessions, next));
      assertThatExceptionOfType(KubernetesClientException.class)
          .as(sessions)
          .isThrownBy(this::list)
          .withMessageContaining("a page after s-0099");
    }
  }
}
