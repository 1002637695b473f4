package dev.shipshape.packaging;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ConstantPoolSharingOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
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
  private final JarFile merged;
  private final String version;

  private ApplicationJar(JarFile merged, String version) {
    this.merged = merged;
    this.version = version;
  }

  /**
   * Writes the shipped jar.
   *
   * @param merged Maven's jar of the application and its libraries
   */
  static void write(Path merged, String version, Path target) throws IOException {
    Files.createDirectories(target.getParent());
    try (var jar = new JarFile(merged.toFile(), false, JarFile.OPEN_READ, Runtime.version());
        var out = new ZipOutputStream(Files.newOutputStream(target))) {
      var application = new ApplicationJar(jar, version);
      for (var entry : (Iterable<JarEntry>) jar.versionedStream()::iterator) {
        // Native libraries are files beside the jar: see RuntimeFolder.
        if (!entry.isDirectory() && !entry.getName().startsWith(RuntimeFolder.NATIVE)) {
          application.copy(entry, out);
        }
      }
    }
  }

  private void copy(JarEntry entry, ZipOutputStream out) throws IOException {
    var copy = new ZipEntry(entry.getName());
    copy.setTimeLocal(Reproducible.LOCAL_TIME);
    out.putNextEntry(copy);
    if (entry.getName().equals(JarFile.MANIFEST_NAME)) {
      manifest().write(out);
    } else {
      var bytes = merged.getInputStream(entry).readAllBytes();
      out.write(entry.getName().endsWith(".class") ? withStackMaps(bytes) : bytes);
    }
    out.closeEntry();
  }

  private Manifest manifest() throws IOException {
    var manifest = merged.getManifest();
    manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
    manifest.getMainAttributes().remove(Attributes.Name.MULTI_RELEASE);
    return manifest;
  }

  /**
   * Converts a class file of Java 6 or before, such as picocli's, to Java 8's format: the AOT cache
   * omits classes without stack maps. The bytecode stays the same.
   */
  private byte[] withStackMaps(byte[] file) {
    var old = ClassFile.of().parse(file);
    if (old.majorVersion() >= ClassFile.JAVA_7_VERSION) {
      return file;
    }
    return ClassFile.of(
            StackMapsOption.GENERATE_STACK_MAPS,
            // Otherwise unchanged methods are copied without stack maps.
            ConstantPoolSharingOption.NEW_POOL,
            ClassFile.ClassHierarchyResolverOption.of(hierarchy()))
        .transformClass(
            old,
            (builder, element) ->
                builder.with(
                    element instanceof ClassFileVersion
                        ? ClassFileVersion.of(ClassFile.JAVA_8_VERSION, 0)
                        : element));
  }

  private ClassHierarchyResolver hierarchy() {
    return ClassHierarchyResolver.ofResourceParsing(
            type -> {
              var entry = type.descriptorString().replaceAll("^L|;$", "") + ".class";
              return merged.getEntry(entry) == null ? null : open(entry);
            })
        .orElse(ClassHierarchyResolver.defaultResolver());
  }

  private InputStream open(String entry) {
    try {
      return merged.getInputStream(merged.getEntry(entry));
    } catch (IOException e) {
      throw new UncheckedIOException("could not read " + entry + " in " + merged.getName(), e);
    }
  }
}
