package dev.shipshape.packaging;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ConstantPoolSharingOption;
import java.lang.classfile.ClassTransform;
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
      var content = merged.getInputStream(entry).readAllBytes();
      out.write(entry.getName().endsWith(".class") ? cacheable(content) : content);
    }
    out.closeEntry();
  }

  /**
   * Returns a class file that an AOT cache can hold. The JVM caches no class of Java 5, which all
   * of picocli's are; to load them took half of a short command's time.
   */
  static byte[] cacheable(byte[] classFile) {
    var format = ClassFile.of(ConstantPoolSharingOption.NEW_POOL);
    var old = format.parse(classFile);
    return old.majorVersion() >= ClassFile.JAVA_6_VERSION
        ? classFile
        : format.transformClass(
            old, ClassTransform.endHandler(made -> made.withVersion(ClassFile.JAVA_8_VERSION, 0)));
  }

  private static Manifest manifest(JarFile merged, String version) throws IOException {
    var manifest = merged.getManifest();
    manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
    manifest.getMainAttributes().remove(Attributes.Name.MULTI_RELEASE);
    return manifest;
  }
}
