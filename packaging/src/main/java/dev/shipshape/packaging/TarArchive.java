package dev.shipshape.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Writes tar archives, by GNU tar, that depend only on the files' paths, modes and content. */
final class TarArchive {
  private TarArchive() {}

  /** Packs and compresses a folder; links become files, because Helm refuses links. */
  static void writeForHelm(Path folder, Path archive) throws IOException, InterruptedException {
    write(
        folder,
        archive,
        List.of("--dereference", "--hard-dereference", "--use-compress-program=gzip --no-name"));
  }

  /** Packs a folder; links stay links unless an option says otherwise. */
  static void write(Path folder, Path archive, List<String> options)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.addAll(List.of("tar", "--create", "--file=" + archive.toAbsolutePath()));
    command.addAll(options);
    command.addAll(List.of("--format=gnu", "--sort=name", "--mtime=" + Reproducible.TIME));
    command.addAll(List.of("--owner=0", "--group=0", "--numeric-owner", "--"));
    try (Stream<Path> content = Files.list(folder)) {
      content.map(each -> each.getFileName().toString()).sorted().forEach(command::add);
    }
    BuildTool.run(folder, command);
  }
}
