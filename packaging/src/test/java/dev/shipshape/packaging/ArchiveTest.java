package dev.shipshape.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchiveTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void whatIsWrittenHereHasNothingThatHelmRefuses() throws Exception {
    assertThat(ArchiveLinter.problems(stream(packed()))).isEmpty();
  }

  @Test
  void theSameFilesGiveTheSameBytes() throws Exception {
    var first = packed();
    Files.setLastModifiedTime(folder.resolve("program"), FileTime.fromMillis(0));

    assertThat(packed()).isEqualTo(first);
  }

  @Test
  void whatHelmRefusesIsNamed() throws Exception {
    var link = new TarArchiveEntry("x/legal", TarConstants.LF_SYMLINK);
    link.setLinkName("elsewhere");
    var readOnly = new TarArchiveEntry("./y");
    readOnly.setMode(0444);

    assertThat(ArchiveLinter.problems(stream(tar(link, readOnly))))
        .contains(
            "x/legal is neither a file nor a folder",
            "x/legal comes without its folder before it",
            "./y is not a plain relative path",
            "./y has a mode other than 0644 and 0755",
            "./y has a time");
  }

  @Test
  void aFileListIsWhatSha256sumChecks() throws Exception {
    var items = FileList.addedTo(List.of(new Item.Text("a/b", "a")));

    assertThat(items.getLast())
        .isEqualTo(
            new Item.Text(
                "files.sha256",
                "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb  a/b\n"));
  }

  private byte[] packed() throws IOException {
    var program = Files.writeString(folder.resolve("program"), "#!/bin/sh\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    var bytes = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bytes)) {
      Tar.write(
          gzip, List.of(new Item.Text("z/y/text", "t"), new Item.Copied("bin/program", program)));
    }
    return bytes.toByteArray();
  }

  private static byte[] tar(TarArchiveEntry... entries) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var tar = new TarArchiveOutputStream(new GZIPOutputStream(bytes))) {
      for (var entry : entries) {
        tar.putArchiveEntry(entry);
        tar.closeArchiveEntry();
      }
    }
    return bytes.toByteArray();
  }

  private static ByteArrayInputStream stream(byte[] bytes) {
    return new ByteArrayInputStream(bytes);
  }
}
