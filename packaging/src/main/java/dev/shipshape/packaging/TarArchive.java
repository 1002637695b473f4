package dev.shipshape.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Tar archives, by GNU tar, that depend on nothing but their files' paths, modes and content. */
final class TarArchive {
  private TarArchive() {}

  /** Packs what is in a folder; links stay links. */
  static void write(Path folder, Path archive) throws IOException, InterruptedException {
    write(folder, archive, List.of());
  }

  /** Packs and compresses what is in a folder; Helm refuses links, so they become files. */
  static void writeForHelm(Path folder, Path archive) throws IOException, InterruptedException {
    write(
        folder,
        archive,
        List.of("--dereference", "--hard-dereference", "--use-compress-program=gzip --no-name"));
  }

  private static void write(Path folder, Path archive, List<String> options)
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
