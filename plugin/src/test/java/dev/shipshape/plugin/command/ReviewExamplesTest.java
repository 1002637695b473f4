package dev.shipshape.plugin.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/how-to/review-before-push.md, as they stand, in a repository. */
@Timeout(60)
class ReviewExamplesTest {
  private static final Path PAGE = Path.of("../docs/how-to/review-before-push.md");
  private static final Path EXAMPLES = Path.of("src/test/resources/dev/shipshape/plugin/review");
  private static final Pattern YAML = Pattern.compile("(?s)```yaml\n(.*?)```");

  @TempDir Path repository;

  @BeforeEach
  void makeARepositoryAndAHelmThatHasThePlugin() throws Exception {
    Files.createDirectories(repository.resolve("manifests"));
    Files.copy(EXAMPLES.resolve("manifests.yaml"), repository.resolve("manifests/a.yaml"));
    Files.copy(EXAMPLES.resolve("failed.yaml"), repository.resolve("known-invalid.yaml"));
    Files.createDirectories(repository.resolve("bin"));
    var classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(each -> Path.of(each).toAbsolutePath().toString())
            .collect(Collectors.joining(File.pathSeparator));
    var helm =
        Files.writeString(
            repository.resolve("bin/helm"),
            "#!/bin/sh\n[ \"$1\" = shipshape ] && shift && exec '%s' -cp '%s' %s \"$@\"\n"
                .formatted(
                    ProcessHandle.current().info().command().orElseThrow(),
                    classPath,
                    Shipshape.class.getName()));
    assertThat(helm.toFile().setExecutable(true)).isTrue();
  }

  @Test
  void theWorkflowFailsOnWhatWouldBeRefusedAndLeavesItsReport() throws Exception {
    var steps = example(0).at("/jobs/review/steps");

    var ran = run(steps.at("/1/run").asText());

    assertThat(ran).startsWith("1: ::error file=manifests/a.yaml,line=10,");
    assertThat(repository.resolve(steps.at("/2/with/sarif_file").asText()))
        .content()
        .contains("\"ruleId\" : \"known-invalid\"");
  }

  @Test
  void theHookFailsOnWhatWouldBeRefused() throws Exception {
    var hook = example(1).at("/repos/0/hooks/0");

    assertThat("manifests/a.yaml").matches(hook.path("files").asText());
    assertThat(run(hook.path("entry").asText() + " manifests/a.yaml"))
        .startsWith("1: manifests/a.yaml:10: NodeConfig worker-2 refused");
  }

  private static JsonNode example(int number) throws Exception {
    var yaml = YAML.matcher(Files.readString(PAGE)).results().skip(number).findFirst();
    return Serialization.unmarshal(yaml.orElseThrow().group(1), JsonNode.class);
  }

  /** The exit code, and what was printed. */
  private String run(String command) throws Exception {
    var builder = new ProcessBuilder("bash", "-c", command).directory(repository.toFile());
    builder.environment().merge("PATH", repository + "/bin:", (path, bin) -> bin + path);
    var process = builder.redirectErrorStream(true).start();
    var printed = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return process.exitValue() + ": " + printed;
  }
}
