package dev.shipshape.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.constant.ClassDesc;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApplicationJarTest {
  @TempDir private Path folder = Path.of("");

  @BeforeEach
  void writeFromAJarOfTwoReleasesWithAnOldClass() throws Exception {
    var manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MULTI_RELEASE, "true");
    var merged = folder.resolve("merged.jar");
    try (var jar = new JarOutputStream(Files.newOutputStream(merged), manifest)) {
      put(jar, "b/data.txt", "for Java 8".getBytes(StandardCharsets.UTF_8));
      put(jar, "META-INF/versions/21/b/data.txt", "for 21".getBytes(StandardCharsets.UTF_8));
      put(jar, "a/Old.class", oldClass());
    }
    ApplicationJar.write(merged, "1.2.3", folder.resolve("1.jar"));
    ApplicationJar.write(merged, "1.2.3", folder.resolve("2.jar"));
  }

  @Test
  void itHasItsVersionAndOfEachFileTheOneForThisJdk() throws Exception {
    try (var jar = new JarFile(folder.resolve("1.jar").toFile())) {
      assertThat(jar.getManifest().getMainAttributes().getValue("Implementation-Version"))
          .isEqualTo("1.2.3");
      assertThat(read(jar, "b/data.txt")).asString().isEqualTo("for 21");
    }
  }

  @Test
  void anOldClassFileGetsStackMaps() throws Exception {
    try (var jar = new JarFile(folder.resolve("1.jar").toFile())) {
      var current = read(jar, "a/Old.class");

      assertThat(ClassFile.of().parse(current).majorVersion()).isEqualTo(ClassFile.JAVA_8_VERSION);
      assertThat(ClassFile.of().verify(current)).isEmpty();
    }
  }

  @Test
  void theSameJarGivesTheSameBytes() {
    assertThat(folder.resolve("1.jar")).hasSameBinaryContentAs(folder.resolve("2.jar"));
  }

  private static byte[] oldClass() {
    return ClassFile.of(StackMapsOption.DROP_STACK_MAPS)
        .build(
            ClassDesc.of("a.Old"),
            builder -> builder.withVersion(ClassFile.JAVA_5_VERSION, 0).withFlags(1));
  }

  private static void put(JarOutputStream jar, String name, byte[] bytes) throws Exception {
    jar.putNextEntry(new JarEntry(name));
    jar.write(bytes);
    jar.closeEntry();
  }

  private static byte[] read(JarFile jar, String name) throws Exception {
    return jar.getInputStream(jar.getEntry(name)).readAllBytes();
  }
}
