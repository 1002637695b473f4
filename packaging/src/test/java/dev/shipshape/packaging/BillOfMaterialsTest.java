package dev.shipshape.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BillOfMaterialsTest {
  @TempDir private Path folder = Path.of("");
  private Optional<BillOfMaterials> bill = Optional.empty();

  @BeforeEach
  void libraries() throws Exception {
    var libraries =
        """
        {"bomFormat": "CycloneDX", "metadata": {"component": {"version": "1"}}, "components": [
          {"name": "some", "version": "2", "licenses": [{"license": {"id": "MIT"}}]}]}
        """;
    bill = Optional.of(BillOfMaterials.read(Files.writeString(folder.resolve("in"), libraries)));
  }

  @Test
  void namesTheJdkAndEachPackageOfTheImage() throws Exception {
    Files.writeString(folder.resolve("release"), "JAVA_VERSION=\"25.0.3\"\n");
    var packages =
        """
        # a remark
        00ff  libc6_2.36-9+deb12u14_amd64.deb
        11ee  libfoo_1%3a2~rc1_all.deb
        """;

    bill.orElseThrow()
        .addRuntime(new RuntimeFolder(folder))
        .addPackages(Files.writeString(folder.resolve("packages"), packages))
        .write("container", folder.resolve("out"));

    assertThat(new ObjectMapper().readTree(folder.resolve("out").toFile()).findValuesAsText("purl"))
        .containsExactly(
            "pkg:generic/openjdk@25.0.3",
            "pkg:deb/debian/libc6@2.36-9%2Bdeb12u14?arch=amd64&distro=debian-12",
            "pkg:deb/debian/libfoo@1%3A2~rc1?arch=all&distro=debian-12");
  }

  @Test
  void theNoticeHasEachLicenceTextOnce() throws Exception {
    assertThat(BillOfMaterials.notice(List.of(jar("a.jar"), jar("b.jar"))))
        .containsOnlyOnce("do as you like")
        .contains("a.jar, b.jar");
  }

  private Path jar(String name) throws Exception {
    var file = folder.resolve(name);
    try (var jar = new JarOutputStream(Files.newOutputStream(file))) {
      jar.putNextEntry(new JarEntry("META-INF/LICENSE.txt"));
      jar.write("do as you like".getBytes(StandardCharsets.UTF_8));
    }
    return file;
  }
}
