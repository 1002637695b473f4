package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shipshape.sandbox.Kubeconfig;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.service.StartFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** A context that the kubeconfig does not have is never another cluster. */
class MistypedContextTest extends WithCommands {
  @TempDir private Path folder = Path.of("");
  private Path kubeconfig;

  /** If a request were sent to it, the message would be another one. */
  @BeforeEach
  void start() throws Exception {
    kubeconfig =
        Files.writeString(folder.resolve("config"), Kubeconfig.anonymous("http://127.0.0.1:1"));
  }

  /** All that take one, but the janitor: with whatever is wrong it stays up and says so. */
  static Stream<String> commands() {
    return Shipshape.commandLine().getSubcommands().entrySet().stream()
        .filter(each -> each.getValue().getCommandSpec().findOption("--context") != null)
        .map(Map.Entry::getKey)
        .filter(name -> !name.equals("janitor"));
  }

  @Promise(
      value = "With a mistyped context, nothing is sent to the current one.",
      breaks = "Falling back to the current context.")
  @ParameterizedTest
  @MethodSource("commands")
  void nothingIsSentToTheCurrentContext(String command) throws Exception {
    var arguments = new ArrayList<>(List.of(command));
    arguments.addAll(required(command));
    arguments.addAll(List.of("--kubeconfig", kubeconfig.toString(), "--context", "prod"));

    var exit = run(arguments.toArray(String[]::new));

    assertThat(err)
        .hasToString(
            "shipshape: the kubeconfig %s has no context \"prod\"; it has: x%n"
                .formatted(kubeconfig));
    assertThat(exit).isEqualTo(ExitCode.COULD_NOT_RUN);
  }

  @Test
  void aContextThatHelmHandsOnIsNoOtherEither() {
    var options = new ClusterOptions(Map.of("HELM_KUBECONTEXT", "nope"));
    CommandLine.populateCommand(options, "--kubeconfig", kubeconfig.toString());

    assertThatThrownBy(() -> options.connect().close())
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("has no context \"nope\"; it has: x");
  }

  private List<String> required(String command) throws Exception {
    return switch (command) {
      case "forget" -> List.of("0123456789ab");
      case "remember" -> List.of(bad(), "--reason", "x");
      case "prune" -> List.of("--settings", settings("{}"));
      case "webhook" -> List.of("--settings", settings("guards: [{preset: nodeconfig}]"));
      case "disarm" -> List.of("--now");
      case "review" -> List.of(bad(), "--cluster");
      case "remove-webhooks" -> List.of("--validating", "a", "--mutating", "b");
      default -> List.of();
    };
  }

  private String bad() throws Exception {
    var object = "apiVersion: network.schiff.telekom.de/v1alpha1\nkind: NodeConfig\n";
    return Files.writeString(folder.resolve("bad.yaml"), object).toString();
  }

  private String settings(String more) throws Exception {
    var text = "apiVersion: shipshape.dev/v1\n" + (more.equals("{}") ? "" : more + "\n");
    return Files.writeString(folder.resolve("settings.yaml"), text).toString();
  }
}
