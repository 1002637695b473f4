package dev.shipshape.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.junit.Promise;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordsTest {
  @TempDir private Path folder = Path.of("");

  /** Webhooks' patches are among a Secret's annotations; a message may quote a value. */
  @Promise(
      value = "The data of Secrets and tokens is never shown.",
      breaks = "Hiding by field name.")
  @ParameterizedTest
  @ValueSource(ints = {400, 403, 422})
  void nothingOfASecretIsShownWhereverTheLogHasIt(int code) throws IOException {
    var requests = new Requests();
    var body = "{\"kind\":\"Secret\",\"metadata\":{\"name\":\"db\"},\"data\":{\"p\":\"aHVudGVy\"}}";
    requests.request("a", "create", "secrets/shop/db", code, body, null);
    requests.last().putObject("annotations").put("patch.webhook/round_0", "add aHVudGVy");
    var status = requests.last().withObject("/responseStatus").put("message", "invalid: aHVudGVy");
    status.withArray("/details/causes").addObject().put("message", "invalid: aHVudGVy");
    var log = requests.write(folder.resolve("audit.log"));

    assertThat(Records.find(Requests.logs(log), "id-0").entries())
        .singleElement()
        .satisfies(
            entry -> assertThat(entry.json().toString()).contains("db").doesNotContain("aHVudGVy"));
    assertThat(Requests.timeline(Requests.logs(log), EventFilter.ALL, Timeline.Form.CSV))
        .contains("(hidden)")
        .doesNotContain("aHVudGVy");
  }
}
