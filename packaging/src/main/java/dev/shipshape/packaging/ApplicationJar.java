package dev.shipshape.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** The application with its libraries as one jar that the JVM loads quickly. */
final class ApplicationJar {
  private ApplicationJar() {}

  /**
   * Writes the shipped jar.
   *
   * @param merged Maven's jar of the application and its libraries
   */
  static void write(Path merged, String version, Path target) throws IOException {
    Files.createDirectories(target.getParent());
    try (var jar = new JarFile(merged.toFile(), false, JarFile.OPEN_READ, Runtime.version());
        var out = new ZipOutputStream(Files.newOutputStream(target))) {
      for (var entry : (Iterable<JarEntry>) jar.versionedStream()::iterator) {
        // Native libraries are files beside the jar: see RuntimeFolder.
        if (!entry.isDirectory() && !entry.getName().startsWith(RuntimeFolder.NATIVE)) {
          copy(jar, version, entry, out);
        }
      }
    }
  }

  private static void copy(JarFile merged, String version, JarEntry entry, ZipOutputStream out)
      throws IOException {
    var copy = new ZipEntry(entry.getName());
    copy.setTimeLocal(Reproducible.LOCAL_TIME);
    out.putNextEntry(copy);
    if (entry.getName().equals(JarFile.MANIFEST_NAME)) {
      manifest(merged, version).write(out);
    } else {
      merged.getInputStream(entry).transferTo(out);
    }
    out.closeEntry();
  }

  private static Manifest manifest(JarFile merged, String version) throws IOException {
    var manifest = merged.getManifest();
    manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
    manifest.getMainAttributes().remove(Attributes.Name.MULTI_RELEASE);
    return manifest;
  }
}
