package dev.shipshape.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApplicationModuleTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void jarsOfTheClassPathBecomeOneOpenModuleWithTheirServices() throws Exception {
    var jar =
        jar(
            "a.jar",
            Map.of(
                "a/Service.class", emptyClass("a.Service"),
                "a/Provider.class", emptyClass("a.Provider"),
                "META-INF/services/a.Service",
                    "a.Provider # ours\n".getBytes(StandardCharsets.UTF_8),
                "META-INF/services/not.There", "a.Provider\n".getBytes(StandardCharsets.UTF_8),
                "b/data.txt", "x".getBytes(StandardCharsets.UTF_8)));

    ApplicationModule.write(List.of(jar), "a.Provider", "1.2.3", folder.resolve("m.jar"));

    var module =
        ModuleFinder.of(folder.resolve("m.jar"))
            .find(ApplicationModule.NAME)
            .orElseThrow()
            .descriptor();
    assertThat(module.isOpen()).isTrue();
    assertThat(module.rawVersion()).contains("1.2.3");
    assertThat(module.packages()).containsExactlyInAnyOrder("a", "b");
    assertThat(module.provides()).extracting(each -> each.service()).containsExactly("a.Service");
    assertThat(module.uses()).containsExactly("a.Service");
  }

  @Test
  void twoClassesOfOneNameAreRefused() throws Exception {
    var content = Map.of("a/A.class", emptyClass("a.A"));
    var jars = List.of(jar("1.jar", content), jar("2.jar", content));

    assertThatThrownBy(() -> ApplicationModule.write(jars, "a.A", "1", folder.resolve("m.jar")))
        .hasMessageContainingAll("a/A.class", "1.jar", "2.jar");
  }

  @Test
  void anOldClassFileIsBroughtUpToDateAndStillRuns() throws Exception {
    var old =
        ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS)
            .build(
                ClassDesc.of("a.Old"),
                builder -> builder.withVersion(ClassFile.JAVA_5_VERSION, 0).withFlags(1));

    var current = UpToDate.bytes(old, Map.of());

    assertThat(ClassFile.of().parse(current).majorVersion()).isEqualTo(ClassFile.JAVA_8_VERSION);
    assertThat(ClassFile.of().verify(current)).isEmpty();
  }

  private static byte[] emptyClass(String name) {
    return ClassFile.of()
        .build(
            ClassDesc.of(name),
            builder ->
                builder
                    .withFlags(ClassFile.ACC_PUBLIC)
                    .withMethodBody(
                        "<init>",
                        ConstantDescs.MTD_void,
                        ClassFile.ACC_PUBLIC,
                        code ->
                            code.aload(0)
                                .invokespecial(
                                    ConstantDescs.CD_Object, "<init>", ConstantDescs.MTD_void)
                                .return_()));
  }

  private Path jar(String name, Map<String, byte[]> content) throws IOException {
    var file = folder.resolve(name);
    try (var jar = new JarOutputStream(Files.newOutputStream(file))) {
      for (var each : content.entrySet()) {
        jar.putNextEntry(new JarEntry(each.getKey()));
        jar.write(each.getValue());
        jar.closeEntry();
      }
    }
    return file;
  }
}
