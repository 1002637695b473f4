package dev.shipshape.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The image's lowest layer, for a JVM and BoringSSL: glibc, GCC's support library, time zones,
 * authorities, a user, and the files by which scanners recognise Debian and its packages. No shell,
 * no package manager.
 */
record BaseLayer(Path cache, Path work, Path folder) {
  static final int USER = 65532;

  private static final List<String> UNUSED_LIBRARIES =
      List.of("memusage", "pcprofile", "malloc_debug", "thread_db");

  /**
   * Fills the folder.
   *
   * @param list the packages with their checksums, in sha256sum's form
   */
  void fill(Path list) throws IOException, InterruptedException {
    FileTrees.empty(folder);
    for (var name : packages(list)) {
      FileTrees.copy(work.resolve(name), folder, path -> isWanted(name, path));
      FileTrees.copyFile(
          work.resolve(name + ".control"), folder.resolve("var/lib/dpkg/status.d/" + name));
    }
    Files.createSymbolicLink(folder.resolve("etc/os-release"), Path.of("../usr/lib/os-release"));
    write("etc/ssl/certs/ca-certificates.crt", authorities());
    write("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n");
    write(
        "etc/passwd",
        "root:x:0:0:root:/:/sbin/nologin\nnonroot:x:%1$d:%1$d:nonroot:/:/sbin/nologin\n"
            .formatted(USER));
    write("etc/group", "root:x:0:\nnonroot:x:%d:\n".formatted(USER));
    FileTrees.setModes(folder);
    Files.setAttribute(Files.createDirectory(folder.resolve("tmp")), "unix:mode", 01777);
  }

  /** Downloads and unpacks the packages; returns their names. */
  private List<String> packages(Path list) throws IOException, InterruptedException {
    Files.createDirectories(cache);
    FileTrees.empty(work);
    var files =
        Files.readAllLines(list).stream()
            .filter(line -> !line.startsWith("#"))
            .map(line -> line.replaceFirst("^\\w+ +", ""))
            .toList();
    for (var file : files) {
      if (!Files.exists(cache.resolve(file))) {
        download(file);
      }
    }
    BuildTool.run(cache, List.of("sha256sum", "--check", "--quiet", "" + list.toAbsolutePath()));
    for (var file : files) {
      var target = work.toAbsolutePath().resolve(name(file));
      BuildTool.run(cache, List.of("dpkg-deb", "--extract", file, target.toString()));
      Files.writeString(
          Path.of(target + ".control"), BuildTool.run(cache, List.of("dpkg-deb", "--field", file)));
    }
    return files.stream().map(BaseLayer::name).toList();
  }

  /** From {@code libc6_2.36-9_arm64.deb} to apt's {@code libc6:arm64=2.36-9}; %3a is a colon. */
  private void download(String file) throws IOException, InterruptedException {
    var parts = file.replace(".deb", "").replace("%3a", ":").split("_", -1);
    var wanted = (parts[0] + ":" + parts[2] + "=" + parts[1]).replace(":all=", "=");
    try {
      BuildTool.run(cache, List.of("apt-get", "-qq", "download", wanted));
    } catch (IOException e) {
      throw new IOException(
          "could not download %s for the image: this takes apt with Debian 12's packages, after"
                  .formatted(wanted)
              + " apt-get update, for another platform after dpkg --add-architecture; if Debian has"
              + " a newer one, run packaging/base/update",
          e);
    }
  }

  private static String name(String file) {
    return file.substring(0, file.indexOf('_'));
  }

  private static boolean isWanted(String name, String path) {
    return path.endsWith(name + "/copyright")
        || switch (name) {
          // Without character set converters and tracing helpers.
          case "libc6", "libgcc-s1" ->
              path.startsWith("lib") && UNUSED_LIBRARIES.stream().noneMatch(path::contains);
          case "tzdata" -> path.startsWith("usr/share/zoneinfo/");
          case "base-files" ->
              path.equals("usr/lib/os-release") || path.equals("etc/debian_version");
          default -> false;
        };
  }

  private String authorities() throws IOException {
    var folder = work.resolve("ca-certificates/usr/share/ca-certificates/mozilla");
    var all = new StringBuilder();
    for (var file : FileTrees.files(folder)) {
      all.append(Files.readString(folder.resolve(file)));
    }
    return all.toString();
  }

  private void write(String path, String text) throws IOException {
    FileTrees.write(folder.resolve(path), text);
  }
}
