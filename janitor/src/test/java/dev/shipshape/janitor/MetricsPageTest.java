package dev.shipshape.janitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/reference/metrics.md names the metrics that there are, with the values of their labels. */
class MetricsPageTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z_]+)`");
  private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE shipshape_janitor_(\\w+) ");
  private static final Pattern LABEL = Pattern.compile("(?m)[{,]\\w+=\"([^\"]+)\"");

  @Test
  void thePageNamesWhatIsServed() throws IOException {
    assertThat(all(ROW, section()))
        .containsExactlyInAnyOrderElementsOf(
            all(TYPE, served()).stream().filter(name -> !name.endsWith("_max")).toList());
  }

  @Test
  void everyCounterIsServedFromTheStart() {
    assertThat(served())
        .contains("shipshape_janitor_deletions_total{result=\"gone\"} 0.0")
        .contains("shipshape_janitor_prune_runs_total{ending=\"failed\"} 0.0")
        .contains("shipshape_janitor_prune_last_success_timestamp_seconds 0.0");
  }

  @Test
  void everyLabelValueIsOnThePage() throws IOException {
    var section = section();
    assertThat(all(LABEL, served()))
        .isNotEmpty()
        .allSatisfy(value -> assertThat(section).contains("`" + value + "`"));
  }

  private static String served() {
    var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    Janitor.idle(List.of(), registry);
    new JanitorMetrics(registry, Optional::empty).register(TestJanitors.OPERATOR);
    return registry.scrape();
  }

  private static String section() throws IOException {
    var page = Files.readString(Path.of("../docs/reference/metrics.md"));
    return page.substring(page.indexOf("## Janitor"), page.indexOf("## Webhook"));
  }

  private static List<String> all(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map((MatchResult match) -> match.group(1))
        .distinct()
        .toList();
  }
}
