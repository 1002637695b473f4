package dev.shipshape.packaging;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.lang.model.SourceVersion;

/**
 * The application and all it depends on as one explicit module, because jlink takes nothing else
 * and most of the libraries are no modules. Inside a runtime image the classes need no jar files,
 * so the AOT cache cannot be refused over a jar's modification time, which unpacking loses.
 *
 * <p>The module is open: its resources and reflection work as on the class path. Multi-release
 * entries are resolved for this JDK; services become {@code provides}; class files too old for the
 * AOT cache (picocli's) are brought up to date, bytecode unchanged.
 */
final class ApplicationModule {
  static final String NAME = "dev.shipshape";
  private static final String SERVICES = "META-INF/services/";

  private final Map<String, byte[]> content = new TreeMap<>();
  private final Map<String, String> origins = new TreeMap<>();
  private final Services services = new Services();
  private final RequiredModules required = new RequiredModules();

  private ApplicationModule() {}

  /**
   * Merges the jars into one modular jar.
   *
   * @param jars where two hold a resource of one name, the first one's counts
   * @param mainClass the class that {@code java -m} runs
   * @throws IllegalStateException where two jars hold different classes of one name
   */
  static void write(List<Path> jars, String mainClass, String version, Path target)
      throws IOException {
    var module = new ApplicationModule();
    for (var jar : jars) {
      module.take(jar);
    }
    module.content.replaceAll(module::current);
    var packages = new TreeSet<String>();
    module.content.keySet().forEach(name -> packageOf(name).ifPresent(packages::add));
    var services = module.services.within(module.content.keySet());
    module.content.put(
        "module-info.class",
        ModuleDeclaration.bytes(
            NAME, version, mainClass, module.required.names(), packages, services));
    module.save(target);
  }

  private void take(Path jar) throws IOException {
    try (var file = new JarFile(jar.toFile(), false, JarFile.OPEN_READ, Runtime.version())) {
      file.versionedStream()
          .filter(entry -> !entry.isDirectory())
          .forEach(entry -> take(jar, entry.getName(), read(file, entry)));
    }
  }

  private void take(Path jar, String name, byte[] bytes) {
    if (name.equals("module-info.class")) {
      services.declaredBy(ClassFile.of().parse(bytes));
    } else if (name.startsWith(SERVICES)) {
      services.provided(name.substring(SERVICES.length()), bytes);
    } else if (name.endsWith(".class")) {
      var model = ClassFile.of().parse(bytes);
      required.usedBy(model);
      services.loadedBy(model);
      put(jar, name, bytes);
    } else if (!name.startsWith("META-INF/") || name.startsWith("META-INF/vertx/")) {
      put(jar, name, bytes);
    }
  }

  private byte[] current(String name, byte[] bytes) {
    return name.endsWith(".class") ? UpToDate.bytes(bytes, content) : bytes;
  }

  private void put(Path jar, String name, byte[] bytes) {
    var before = content.putIfAbsent(name, bytes);
    var origin = origins.putIfAbsent(name, jar.getFileName().toString());
    if (before != null && name.endsWith(".class")) {
      throw new IllegalStateException(
          "%s is both in %s and in %s".formatted(name, origin, jar.getFileName()));
    }
  }

  private static byte[] read(JarFile file, JarEntry entry) {
    try (var stream = file.getInputStream(entry)) {
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("could not read " + entry + " in " + file.getName(), e);
    }
  }

  private void save(Path target) throws IOException {
    try (var jar = new ZipOutputStream(Files.newOutputStream(target))) {
      jar.setLevel(1);
      for (var each : content.entrySet()) {
        var entry = new ZipEntry(each.getKey());
        entry.setTimeLocal(Reproducible.LOCAL_TIME);
        jar.putNextEntry(entry);
        jar.write(each.getValue());
        jar.closeEntry();
      }
    }
  }

  /** Resources have packages too, as far as their folders can be packages' names. */
  private static Optional<String> packageOf(String name) {
    return Optional.of(name.substring(0, Math.max(0, name.lastIndexOf('/'))).replace('/', '.'))
        .filter(SourceVersion::isName);
  }
}
