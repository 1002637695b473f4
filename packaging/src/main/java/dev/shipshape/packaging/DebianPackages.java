package dev.shipshape.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The Debian packages of a list with their checksums, kept in a cache folder. */
final class DebianPackages {
  private final Path cache;

  DebianPackages(Path cache) {
    this.cache = cache;
  }

  private record Pinned(String sha256, String file) {
    /** As apt names it: {@code libc6=2.36-9}; a colon in a version is {@code %3a} in the file. */
    String wanted() {
      var parts = file.split("_", -1);
      return parts[0] + "=" + parts[1].replace("%3a", ":");
    }

    String name() {
      return file.split("_", -1)[0];
    }
  }

  /** Unpacks every package of the list into a folder of its own name under the target. */
  List<String> unpack(Path list, Path target) throws IOException, InterruptedException {
    var names = new ArrayList<String>();
    Files.createDirectories(cache);
    for (var line : Files.readAllLines(list)) {
      if (!line.startsWith("#") && !line.isBlank()) {
        var words = line.split(" +", 2);
        var pinned = new Pinned(words[0], words[1]);
        var folder = Files.createDirectories(target.resolve(pinned.name()));
        var file = fetch(pinned).toString();
        Program.run(cache, List.of("dpkg-deb", "-x", file, folder.toString()));
        Files.writeString(
            folder.resolve("control"), Program.run(cache, List.of("dpkg-deb", "-f", file)));
        names.add(pinned.name());
      }
    }
    return names;
  }

  private Path fetch(Pinned pinned) throws IOException, InterruptedException {
    var file = cache.resolve(pinned.file());
    if (!Files.exists(file)) {
      try {
        Program.run(cache, List.of("apt-get", "-qq", "download", pinned.wanted()));
      } catch (IOException e) {
        throw new IOException(
            "could not download %s for the image: this takes apt with Debian 12's packages, after"
                    .formatted(pinned.wanted())
                + " apt-get update; if Debian has a newer one, run packaging/base/update",
            e);
      }
    }
    var actual = Digests.of(file);
    if (!actual.equals(pinned.sha256())) {
      throw new IOException(
          "%s has SHA-256 %s, not %s as listed".formatted(file, actual, pinned.sha256()));
    }
    return file;
  }
}
