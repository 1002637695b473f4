package dev.shipshape.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsReaderTest {
  private enum Colour {
    RED,
    DARK_BLUE
  }

  private record Everything(
      String text,
      int number,
      boolean flag,
      Duration age,
      Colour colour,
      List<String> names,
      List<String> labels,
      List<String> inner) {
    static Everything from(Section top) {
      return new Everything(
          top.text("text", "none"),
          top.integer("number", 7, 1, 10),
          top.flag("flag", false),
          top.duration("age", Duration.ofDays(7)),
          top.choice("colour", Colour.RED),
          top.texts("names"),
          top.entries("labels", (key, value) -> key + " is " + value),
          top.sections("inner").stream().map(inner -> inner.required("name")).toList());
    }
  }

  @Test
  void absentFieldsGetTheirFallbacks() throws BadSettings {
    assertThat(SettingsReader.parse("f", "apiVersion: shipshape.dev/v1", Everything::from))
        .isEqualTo(
            new Everything(
                "none", 7, false, Duration.ofDays(7), Colour.RED, List.of(), List.of(), List.of()));
  }

  @Test
  void everyFieldIsRead() throws BadSettings {
    var settings =
        SettingsReader.parse(
            "f",
            """
            apiVersion: shipshape.dev/v1
            text: hello
            number: 3
            flag: true
            age: 36h
            colour: dark-blue
            names: [a, b]
            labels: {app: operator}
            inner: [{name: one}, {name: two}]
            """,
            Everything::from);

    assertThat(settings)
        .isEqualTo(
            new Everything(
                "hello",
                3,
                true,
                Duration.ofHours(36),
                Colour.DARK_BLUE,
                List.of("a", "b"),
                List.of("app is operator"),
                List.of("one", "two")));
  }

  @Test
  void everyMistakeIsListedWithFileLineAndField() {
    var bad =
        refused(
            """
            apiVersion: shipshape.dev/v2
            number: 11
            flag: yes
            age: 7
            colour: green
            names: one
            inner: [{nam: x}, y]
            text: {a: b}
            number: 2
            """,
            Everything::from);

    assertThat(bad.problems())
        .containsExactly(
            "f.yaml:1: apiVersion: must be shipshape.dev/v1",
            "f.yaml:2: number: must be a whole number from 1 to 10, not 11",
            "f.yaml:3: flag: must be true or false, not yes",
            "f.yaml:4: age: not a duration: \"7\"; write one number with a unit (ms, s, m, h, d,"
                + " w), like 7d, or ISO-8601, like PT36H; at most 36500d",
            "f.yaml:5: colour: must be one of red, dark-blue",
            "f.yaml:6: names: must be a list",
            "f.yaml:7: inner[1]: must be a mapping",
            "f.yaml:7: inner[0].name: is required",
            "f.yaml:7: inner[0].nam: unknown field; known here: name",
            "f.yaml:8: text: must be a string",
            "f.yaml:9: number: is a duplicate");
  }

  @Test
  void whatIsNoYamlIsRefusedWithItsLine() {
    assertThat(refused("apiVersion: shipshape.dev/v1\na: [", top -> "").problems())
        .singleElement()
        .asString()
        .startsWith("f.yaml:2: not YAML: ");
    assertThat(refused("", top -> "").problems())
        .containsExactly(
            "f.yaml:1: must be a mapping that begins with apiVersion: shipshape.dev/v1");
    assertThat(refused("- 1", top -> "").problems()).hasSize(1);
  }

  @Test
  void aMissingFileIsNamed(@TempDir Path folder) {
    var file = folder.resolve("none.yaml");
    var bad =
        catchThrowableOfType(BadSettings.class, () -> SettingsReader.read(file, Everything::from));

    assertThat(bad.problems()).containsExactly(file + ": there is no such file");
  }

  @Test
  void aFileThatMayNotBeReadIsRefusedWithTheReason() {
    // Write-only: Linux refuses to read it, even to root.
    var file = Path.of("/proc/sys/vm/compact_memory");
    assumeThat(file).exists();
    var bad =
        catchThrowableOfType(BadSettings.class, () -> SettingsReader.read(file, Everything::from));

    assertThat(bad.problems()).containsExactly(file + ": could not be read: permission denied");
  }

  private static BadSettings refused(String yaml, Function<Section, ?> mapping) {
    return catchThrowableOfType(
        BadSettings.class, () -> SettingsReader.parse("f.yaml", yaml, mapping));
  }
}
