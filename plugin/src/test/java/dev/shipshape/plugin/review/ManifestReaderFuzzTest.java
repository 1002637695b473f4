package dev.shipshape.plugin.review;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;

/** Anything before a document that kubectl is known to read. */
class ManifestReaderFuzzTest {
  private static final int SIZES = 256;

  /** What documents without a value are made of. */
  private static final Pattern EMPTY =
      Pattern.compile("(?m)#.*|^%.*|---|\\.\\.\\.|~|[nN]ull|NULL|[!&]\\S*|[\\s\\x1c-\\x1f\ufeff]");

  @TempDir private Path folder = Path.of("");
  private final List<JsonNode> rows = KubectlScalarsTest.rows();

  @FuzzTest
  void aDocumentIsReadAsKubectlDoesWhateverIsBeforeIt(byte[] before) throws IOException {
    var row = rows.get((before.length > 0 ? before[0] & 0xff : 0) % Math.min(SIZES, rows.size()));
    var text = new String(before, StandardCharsets.UTF_8);
    var file = folder.resolve("a.yaml");
    var known = "apiVersion: v1\nkind: Known\ndata: " + row.path("yaml").asText() + "\n";
    var bytes = Files.newOutputStream(file);
    try (bytes) {
      bytes.write(before);
      bytes.write(("\n---\n" + known).getBytes(StandardCharsets.UTF_8));
    }
    var objects = new ArrayList<ManifestObject>();
    var problems = new ArrayList<Problem>();

    ManifestReader.read(file.toString(), kind -> true, objects::add, problems::add);

    if (!isUtf8(before)) {
      assertThat(problems).extracting(Problem::message).containsExactly("is not UTF-8");
      return;
    }
    // A carriage return alone ends a line of YAML.
    var lines = 1 + text.split("\r\n|\r|\n", -1).length;
    assertThat(objects).isNotEmpty();
    assertThat(objects.getLast().line()).isGreaterThan(text.split("\n", -1).length + 1);
    assertThat(objects.getLast().text("/kind")).isEqualTo("Known");
    assertThat(KubectlScalarsTest.canonical(objects.getLast().json().path("data")))
        .isEqualTo(KubectlScalarsTest.canonical(row.path("json")));
    assertThat(objects.subList(0, objects.size() - 1))
        .allSatisfy(object -> assertThat(object.line()).isBetween(1, lines));
    assertThat(problems).allSatisfy(problem -> assertThat(problem.line()).isBetween(1, lines));
    if (!EMPTY.matcher(text).replaceAll("").isEmpty()) {
      assertThat(objects.size() + problems.size()).as("passed over in silence").isGreaterThan(1);
    }
  }

  private static boolean isUtf8(byte[] bytes) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }
}
