package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.JanitorSettings;
import dev.shipshape.webhook.config.WebhookSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentedSettingsTest {
  private static final Path PAGE = Path.of("..", "docs", "reference", "settings.md");
  private static final Pattern EXAMPLE =
      Pattern.compile("(?s)```yaml\n(apiVersion: shipshape.dev/.*?)```");

  @Test
  void theExamplesOfTheReferenceAreGoodSettings(@TempDir Path folder) throws Exception {
    var examples = examples();
    assertThat(examples).hasSize(2);

    WebhookSettings.parse("webhook.yaml", examples.getFirst());
    var janitor = Files.writeString(folder.resolve("janitor.yaml"), examples.getLast());
    var written = JanitorSettings.read(janitor);

    // The page shows every default, so reading it changes nothing.
    var empty = Files.writeString(folder.resolve("empty.yaml"), "apiVersion: shipshape.dev/v1\n");
    assertThat(written).isEqualTo(JanitorSettings.read(empty));
  }

  private static List<String> examples() throws Exception {
    return EXAMPLE.matcher(Files.readString(PAGE)).results().map(m -> m.group(1)).toList();
  }
}
