package dev.shipshape.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchiveTest {
  @TempDir private Path folder = Path.of("");
  private Path plugin = Path.of("");
  private Path archive = Path.of("");

  @BeforeEach
  void files() throws Exception {
    plugin = folder.resolve("plugin");
    archive = folder.resolve("1.tgz");
    FileTrees.write(plugin.resolve("z/y/text"), "a");
    FileTrees.write(plugin.resolve("bin/program"), "#!/bin/sh\n");
    assertThat(plugin.resolve("bin/program").toFile().setExecutable(true)).isTrue();
    Files.createSymbolicLink(plugin.resolve("z/link"), Path.of("y/text"));
    assertThat(plugin.resolve("z/y/text").toFile().setReadOnly()).isTrue();
    FileTrees.setModes(plugin);
    TarArchive.writeForHelm(plugin, archive);
  }

  /** Links, other modes, and a file before its folder are what Helm refuses or stumbles over. */
  @Test
  void whatIsWrittenHereHasNothingThatHelmRefuses() throws Exception {
    assertThat(entries(archive).stream().map(TarArchiveEntry::getName))
        .containsExactly("bin/", "bin/program", "z/", "z/link", "z/y/", "z/y/text");
    assertThat(entries(archive))
        .allMatch(entry -> entry.isDirectory() || entry.getLinkFlag() == '0')
        .allMatch(entry -> entry.getLongUserId() == 0 && entry.getLongGroupId() == 0)
        .allMatch(entry -> entry.getLastModifiedTime().toInstant().equals(Reproducible.TIME))
        .allMatch(
            entry ->
                (entry.getMode() & 07777)
                    == (entry.isDirectory() || entry.getName().contains("program") ? 0755 : 0644));
  }

  @Test
  void theSameFilesGiveTheSameBytes() throws Exception {
    var other = FileTime.fromMillis(0);
    Files.setLastModifiedTime(plugin.resolve("bin/program"), other);
    TarArchive.writeForHelm(plugin, folder.resolve("2.tgz"));

    assertThat(folder.resolve("2.tgz")).hasSameBinaryContentAs(archive);
  }

  @Test
  void theLauncherGivesTheJarTheTimeThatItsCachesWereMadeWith() throws Exception {
    assertThat(Path.of("../plugin/bin/shipshape"))
        .content()
        .contains("= %d ]".formatted(Reproducible.TIME.getEpochSecond()))
        .contains(
            "touch -t "
                + DateTimeFormatter.ofPattern("yyyyMMddHHmm").format(Reproducible.LOCAL_TIME));
  }

  @Test
  void aFileListIsWhatSha256sumChecks() throws Exception {
    assertThat(Digests.sums(plugin, FileTrees.files(plugin)))
        .contains("ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb  z/y/text\n");
  }

  private static List<TarArchiveEntry> entries(Path archive) throws Exception {
    var entries = new ArrayList<TarArchiveEntry>();
    try (var tar = new TarArchiveInputStream(new GZIPInputStream(Files.newInputStream(archive)))) {
      for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        entries.add(entry);
      }
    }
    return entries;
  }
}
