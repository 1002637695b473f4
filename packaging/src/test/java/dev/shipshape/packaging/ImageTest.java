package dev.shipshape.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageTest {
  private static final ObjectMapper json = new ObjectMapper();

  @TempDir private Path folder = Path.of("");

  @Test
  void twoBuildsGiveTheSameImage() throws Exception {
    var first = image().write(folder.resolve("work"), folder.resolve("1.tar"));
    var second = image().write(folder.resolve("work"), folder.resolve("2.tar"));

    assertThat(second).isEqualTo(first).startsWith("sha256:");
    assertThat(folder.resolve("1.tar")).hasSameBinaryContentAs(folder.resolve("2.tar"));
  }

  @Test
  void everyBlobIsNamedByItsContentAndTheManifestNamesThemAll() throws Exception {
    var digest = image().write(folder.resolve("work"), folder.resolve("1.tar"));
    var files = read(folder.resolve("1.tar"));

    files.forEach(
        (path, bytes) -> {
          if (path.startsWith("blobs/")) {
            assertThat(path).endsWith(sha256(bytes));
          }
        });
    var manifest = json.readTree(files.get("blobs/sha256/" + digest.substring(7)));
    assertThat(manifest.at("/layers")).hasSize(1);
    var config = json.readTree(files.get(blob(manifest.at("/config/digest").asText())));
    assertThat(config.at("/config/User").asText()).isEqualTo("65532:65532");
    assertThat(config.at("/config/Entrypoint/0").asText()).isEqualTo("/opt/x/bin/java");
    assertThat(json.readTree(files.get("index.json")).at("/manifests/0/digest").asText())
        .isEqualTo(digest);
  }

  private static String blob(String digest) {
    return digest.replace("sha256:", "blobs/sha256/");
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private Image image() throws IOException {
    var layer = FileTrees.empty(folder.resolve("layer"));
    FileTrees.write(layer.resolve("etc/x"), "x");
    Files.createSymbolicLink(layer.resolve("etc/y"), Path.of("x"));
    return new Image("amd64", List.of(layer), Entrypoint.command("/opt/x", Role.WEBHOOK), "1");
  }

  private static Map<String, byte[]> read(Path archive) throws IOException {
    var files = new HashMap<String, byte[]>();
    try (var tar = new TarArchiveInputStream(Files.newInputStream(archive))) {
      for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        if (!entry.isDirectory()) {
          files.put(entry.getName(), tar.readAllBytes());
        }
      }
    }
    return files;
  }
}
