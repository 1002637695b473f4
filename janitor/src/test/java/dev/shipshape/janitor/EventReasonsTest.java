package dev.shipshape.janitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The Events that people look for are those that there are. */
class EventReasonsTest {
  private static final Pattern REASON = Pattern.compile("[\"`]((?:[A-Z][a-z]+){2,}[0-9]*)[\"`]");

  @Test
  void theDocumentedReasonsAreThoseInTheSources() throws IOException {
    var page = Files.readString(Path.of("../docs/reference/events.md"));
    var documented =
        page.lines()
            .filter(line -> line.contains("| the operator's workload |"))
            .map(line -> line.split("\\|", -1)[1])
            .flatMap(EventReasonsTest::reasons);
    assertThat(documented).containsExactlyInAnyOrderElementsOf(inTheSources());
  }

  private static List<String> inTheSources() throws IOException {
    var sources = Path.of("src/main/java/dev/shipshape/janitor");
    return reasons(
            Files.readString(sources.resolve("Reporter.java"))
                + Files.readString(sources.resolve("OperatorReporter.java"))
                + Files.readString(sources.resolve("restart/RestartResult.java")))
        .filter(reason -> !reason.equals("FollowUp"))
        .distinct()
        .toList();
  }

  private static Stream<String> reasons(String text) {
    return REASON.matcher(text).results().map(match -> match.group(1));
  }
}
