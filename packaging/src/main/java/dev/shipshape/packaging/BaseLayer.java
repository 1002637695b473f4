package dev.shipshape.packaging;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a JVM and BoringSSL need around them: glibc, GCC's support library, time zones, authorities,
 * a user, and what tells scanners that this is Debian and which packages are in it. No shell, no
 * package manager.
 */
final class BaseLayer {
  static final int USER = 65532;
  private static final int SHARED = 01777;
  private static final String AUTHORITIES = "usr/share/ca-certificates/mozilla";

  private BaseLayer() {}

  /**
   * Its entries.
   *
   * @param packages one folder a package, with its files and its control file
   */
  static List<Item> of(Path packages, List<String> names) throws IOException {
    var items = new ArrayList<Item>();
    take(packages.resolve("libc6"), items, BaseLayer::isLibrary);
    take(packages.resolve("libgcc-s1"), items, BaseLayer::isLibrary);
    take(packages.resolve("tzdata"), items, path -> path.startsWith("usr/share/zoneinfo/"));
    take(
        packages.resolve("base-files"),
        items,
        path -> path.equals("usr/lib/os-release") || path.equals("etc/debian_version"));
    for (var name : names) {
      take(packages.resolve(name), items, path -> path.endsWith(name + "/copyright"));
      items.add(
          new Item.Copied("var/lib/dpkg/status.d/" + name, packages.resolve(name + "/control")));
    }
    items.add(new Item.Link("etc/os-release", "../usr/lib/os-release"));
    items.add(
        new Item.Text(
            "etc/ssl/certs/ca-certificates.crt",
            authorities(packages.resolve("ca-certificates").resolve(AUTHORITIES))));
    items.add(text("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n"));
    items.add(
        text(
            "etc/passwd",
            "root:x:0:0:root:/:/sbin/nologin\nnonroot:x:%1$d:%1$d:nonroot:/:/sbin/nologin\n"));
    items.add(text("etc/group", "root:x:0:\nnonroot:x:%d:\n"));
    items.add(new Item.Folder("tmp", SHARED));
    return items;
  }

  private static Item text(String path, String text) {
    return new Item.Text(path, text.formatted(USER));
  }

  /** Not the converters between character sets and not the tracing helpers. */
  private static boolean isLibrary(String path) {
    return path.startsWith("lib")
        && !path.contains("memusage")
        && !path.contains("pcprofile")
        && !path.contains("malloc_debug")
        && !path.contains("thread_db");
  }

  private static void take(Path folder, List<Item> items, Predicate<String> wanted)
      throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (var file : files.filter(one -> !Files.isDirectory(one)).toList()) {
        var path = folder.relativize(file).toString();
        if (wanted.test(path)) {
          items.add(
              Files.isSymbolicLink(file)
                  ? new Item.Link(path, Files.readSymbolicLink(file).toString())
                  : new Item.Copied(path, file));
        }
      }
    }
  }

  private static String authorities(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().map(BaseLayer::read).collect(Collectors.joining());
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("could not read " + file, e);
    }
  }
}
