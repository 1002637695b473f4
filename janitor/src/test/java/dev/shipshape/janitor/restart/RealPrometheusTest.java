package dev.shipshape.janitor.restart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shipshape.janitor.TestCluster;
import dev.shipshape.janitor.session.RestEndpoint;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the fake imitates, where there is a real Prometheus: on the PATH, or of the chart's checks.
 */
class RealPrometheusTest {
  private static final Pattern ADDRESS = Pattern.compile("address=(127\\.0\\.0\\.1:[1-9]\\d*)");

  @TempDir Path folder;

  @Test
  void aRealPrometheusIsUnderstood() throws IOException {
    var program = program();
    assumeTrue(program.isPresent() || "true".equals(System.getenv("CI")), "no prometheus");
    assertThat(program).as("prometheus on the PATH").isPresent();
    var log = folder.resolve("prometheus.log");
    var process =
        new ProcessBuilder(
                program.get().toString(),
                "--config.file=" + Files.writeString(folder.resolve("none.yml"), "{}\n"),
                "--storage.tsdb.path=" + folder.resolve("data"),
                "--web.listen-address=127.0.0.1:0")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      TestCluster.eventually("it listens", () -> address(log).isPresent());
      var address = address(log).orElseThrow();
      TestCluster.eventually("it answers", () -> block(address, "vector(1) > 1").isEmpty());
      assertThat(block(address, "vector(1)")).contains("the query vector(1) has 1 results");
      assertThat(block(address, "1").orElseThrow())
          .contains("must return a vector, not \"scalar\"");
      assertThat(block(address, "sum(").orElseThrow()).contains("it answered 400: ");
    } finally {
      process.destroy();
      process.onExit().join();
    }
  }

  private static Optional<String> block(URI address, String query) {
    var endpoint = new RestEndpoint(address, null, null);
    return new PrometheusMaintenance(endpoint, query, Duration.ofSeconds(5)).blockReason();
  }

  private static Optional<URI> address(Path log) {
    try {
      var found = ADDRESS.matcher(Files.readString(log));
      return found.find() ? Optional.of(URI.create("http://" + found.group(1))) : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Optional<Path> program() {
    var tools =
        System.getProperty("user.home") + "/.cache/shipshape/tools/prometheus-2.42.0/usr/bin";
    return Stream.of((System.getenv("PATH") + File.pathSeparator + tools).split(File.pathSeparator))
        .map(folder -> Path.of(folder, "prometheus"))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
