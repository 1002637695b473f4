package dev.shipshape.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class LoggingTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir private Path folder;

  @AfterEach
  void asBefore() throws Exception {
    begin("{}");
  }

  @Test
  void aJsonLineHasTheFieldsOfAnEvent() throws Exception {
    begin("{format: json}");

    var line = MAPPER.readTree(said().getFirst());

    assertThat(line.properties())
        .extracting(java.util.Map.Entry::getKey)
        .containsExactly("time", "message", "logger", "level", "object", "uid");
    assertThat(line.at("/message").asText()).isEqualTo("deleted a\nb");
    assertThat(line.at("/object").asText()).isEqualTo("widget a\nb");
    assertThat(line.at("/time").asText()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d.*Z");
    assertThat(line.at("/logger").asText()).isEqualTo("Widgets");
  }

  @Test
  void aTextLineHasTheMessageAlone() throws Exception {
    begin("{format: text, level: debug}");

    assertThat(said().getFirst()).matches("\\d{4}-.* INFO Widgets - deleted a\\?b");
    assertThat(said()).anyMatch(line -> line.endsWith("DEBUG Widgets - in detail"));
  }

  @Test
  void whatIsBelowTheLevelIsNotLogged() throws Exception {
    begin("{level: warn}");

    assertThat(said()).isEmpty();
  }

  @Test
  void aWrongFormatIsToldByTheSettingsReaderAndLogsAsByDefault() throws Exception {
    begin("{format: xml}");

    assertThat(said().getFirst()).contains("Widgets - deleted");
    assertThatThrownBy(() -> SettingsReader.read(folder.resolve("settings.yaml"), top -> top))
        .isInstanceOf(BadSettings.class)
        .hasMessageContaining("settings.yaml:2: logging.format: must be one of text, json");
  }

  private void begin(String logging) throws Exception {
    var file = folder.resolve("settings.yaml");
    Files.writeString(file, "apiVersion: shipshape.dev/v1\nlogging: " + logging + "\n");
    Logging.begin(file);
  }

  private static List<String> said() {
    var said = new ByteArrayOutputStream();
    var before = System.err;
    System.setErr(new PrintStream(said, true, UTF_8));
    try {
      var logger = LoggerFactory.getLogger("dev.shipshape.Widgets");
      logger
          .atInfo()
          .addKeyValue("object", "widget a\nb")
          .addKeyValue("uid", "u-1")
          .log("deleted {}", "a\nb");
      logger.debug("in detail");
      LoggerFactory.getLogger("some.library").info("chatter");
    } finally {
      System.setErr(before);
    }
    return said.toString(UTF_8).lines().toList();
  }
}
