package dev.shipshape.janitor;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.prune.PlanFile;
import dev.shipshape.service.SettingsReader;
import dev.shipshape.service.StartFailure;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManualPruneTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void whereRecordsCannotBeKeptThePersonIsToldWhereAndByWhichSetting() throws Exception {
    var records = folder.resolve("no").resolve("folder");
    var settings =
        """
        apiVersion: shipshape.dev/v1
        prune: {records: {file: %s}}
        """
            .formatted(records);
    var parsed = SettingsReader.parse("janitor.yaml", settings, JanitorSettings::from);
    try (var client = TestCluster.clientAt(URI.create("http://127.0.0.1:1"));
        var pruning =
            new ManualPrune(
                parsed, client, Clock.systemUTC(), _ -> {}, new CancellationToken(() -> true))) {
      var plan = new PlanFile(parsed.sessionsNamespace(), Instant.now(), List.of());
      assertThatExceptionOfType(StartFailure.class)
          .isThrownBy(() -> pruning.apply(plan))
          .withMessageContaining("prune.records.file")
          .withMessageContaining(records.toString());
    }
  }
}
