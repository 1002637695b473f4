package dev.shipshape.janitor.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "2020-08-12T10:04:12Z",
        "2020-08-12T10:04:12+00:00",
        "2020-08-12T12:04:12+02:00",
        "2020-08-12T10:04:12",
        "2020-08-12T10:04:12.000000"
      })
  void everyFormOfCfsIsTheSameInstant(String text) {
    assertThat(Times.parse(text)).contains(Instant.parse("2020-08-12T10:04:12Z"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "yesterday", "2020-08-12", "1597226652", "2020-13-12T10:04:12Z"})
  void anythingElseIsNoTime(String text) {
    assertThat(Times.parse(text)).isEmpty();
  }

  @Test
  void aTimeThatIsNoTextCannotBeRead() {
    var session = JsonNodeFactory.instance.objectNode();
    session.putObject("session").put("status", "complete").putObject("completionTime");
    var state = new SessionState(session);

    assertThat(state.time("completionTime")).isNull();
    assertThat(state.marks()).contains(Session.Mark.UNREADABLE_TIME);
  }
}
