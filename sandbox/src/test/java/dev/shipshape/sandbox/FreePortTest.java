package dev.shipshape.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class FreePortTest {
  private static final String TAKEN = "listen tcp 127.0.0.1:1: bind: address already in use";

  private final ArrayList<Integer> tried = new ArrayList<>();

  @Test
  void aTakenPortIsRetriedOnAnother() {
    var port =
        FreePort.start(
            candidate -> {
              tried.add(candidate);
              if (tried.size() < 3) {
                throw new ProgramDiedException("etcd", 1, TAKEN);
              }
              return candidate;
            });

    assertThat(tried).hasSize(3).last().isEqualTo(port);
  }

  @Test
  void portsThatAreAlwaysTakenAreGivenUpInTheEnd() {
    assertThatExceptionOfType(ProgramDiedException.class).isThrownBy(() -> failWith(TAKEN));
    assertThat(tried).hasSize(5);
  }

  @Test
  void anyOtherEndIsNotRetried() {
    assertThatExceptionOfType(ProgramDiedException.class).isThrownBy(() -> failWith("no disk"));
    assertThat(tried).hasSize(1);
  }

  private void failWith(String lastLines) {
    FreePort.start(
        candidate -> {
          tried.add(candidate);
          throw new ProgramDiedException("etcd", 1, lastLines);
        });
  }
}
