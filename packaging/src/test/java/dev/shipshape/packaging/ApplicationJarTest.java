package dev.shipshape.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.ClassFile;
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
  void writeFromAJarOfTwoReleases() throws Exception {
    var manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MULTI_RELEASE, "true");
    var merged = folder.resolve("merged.jar");
    try (var jar = new JarOutputStream(Files.newOutputStream(merged), manifest)) {
      put(jar, "b/data.txt", "for Java 8".getBytes(StandardCharsets.UTF_8));
      put(jar, "META-INF/versions/21/b/data.txt", "for 21".getBytes(StandardCharsets.UTF_8));
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
  void theSameJarGivesTheSameBytes() {
    assertThat(folder.resolve("1.jar")).hasSameBinaryContentAs(folder.resolve("2.jar"));
  }

  @Test
  void aClassOfJava5IsMadeOneThatTheJvmCachesAndVerifies() throws Exception {
    try (var picocli = ClassLoader.getSystemResourceAsStream("picocli/CommandLine.class")) {
      var old = picocli.readAllBytes();
      assertThat(ClassFile.of().parse(old).majorVersion()).isLessThan(ClassFile.JAVA_6_VERSION);

      var made = ApplicationJar.cacheable(old);

      assertThat(ClassFile.of().parse(made).majorVersion()).isEqualTo(ClassFile.JAVA_8_VERSION);
      assertThat(ClassFile.of().verify(made)).isEmpty();
      assertThat(ApplicationJar.cacheable(made)).isSameAs(made);
    }
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
