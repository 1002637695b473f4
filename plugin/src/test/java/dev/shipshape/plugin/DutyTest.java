package dev.shipshape.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said against itself is refused before anything is asked. */
class DutyTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "--arm guard --disarm guard",
        "--arm guard=widgets --disarm guard=widgets",
        "--arm guard,pruning --disarm restarts,pruning",
        "--arm pruning --set pruning.armed=false",
        "--arm pruning --set image.tag=1,pruning.armed=false",
        "--disarm restarts --set-string restarts.armed=true"
      })
  void aContradictionIsAWrongCommandLine(String options) {
    var err = new StringWriter();

    var exit =
        Shipshape.run(
            new PrintWriter(new StringWriter(), true),
            new PrintWriter(err, true),
            ("upgrade --kubeconfig /nowhere " + options).split(" "));

    assertThat(err.toString())
        .containsPattern("shipshape: .*(armed and disarmed at once|contradict each other)");
    assertThat(exit).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void whatIsNoDutyIsAWrongCommandLineThatNamesThem() {
    var err = new StringWriter();

    var exit =
        Shipshape.run(
            new PrintWriter(new StringWriter(), true),
            new PrintWriter(err, true),
            "upgrade --kubeconfig /nowhere --arm nodeconfig".split(" "));

    assertThat(err.toString())
        .contains("expected one of [guard, pruning, restarts] or guard=NAME, but was 'nodeconfig'");
    assertThat(exit).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void whatIsSaidTwiceIsNoContradiction() {
    assertThat(
            Duty.contradiction(
                List.of(new Duty.Words().convert("guard")),
                List.of(new Duty.Words().convert("pruning")),
                List.of("--set=guard.armed=true", "--set=pruning.armed=false")))
        .isEmpty();
  }
}
