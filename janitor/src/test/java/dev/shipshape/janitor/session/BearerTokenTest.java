package dev.shipshape.janitor.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BearerTokenTest {
  @TempDir private Path folder = Path.of("");
  private Path file;
  private FakeCfs cfs;
  private RestService service;

  @BeforeEach
  void open() throws IOException {
    file = folder.resolve("token");
    cfs = FakeCfs.start("v3");
    service =
        new RestService(
            RestConnection.open(null),
            cfs.address(),
            BearerToken.inFile(file),
            Duration.ofMillis(50));
  }

  @AfterEach
  void close() {
    cfs.close();
  }

  @Test
  void aTokenInAFileIsSentAsItIsNow() throws IOException {
    Files.writeString(file, "first\n");
    service.get("/v3/sessions");
    Files.writeString(file, "renewed");
    service.get("/v3/sessions");
    assertThat(cfs.bearers).containsExactly("Bearer first", "Bearer renewed");
  }

  @Test
  void whatIsNoTokenIsRefusedAndNotSaid() throws IOException {
    Files.writeString(file, "secret\nlines");
    assertThatExceptionOfType(KubernetesClientException.class)
        .isThrownBy(() -> service.get("/v3/sessions"))
        .withMessageContaining("sessions.rest")
        .satisfies(failure -> assertThat(trace(failure)).doesNotContain("secret"));
    assertThat(cfs.requests).isEmpty();
  }

  private static String trace(Throwable failure) {
    var text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
