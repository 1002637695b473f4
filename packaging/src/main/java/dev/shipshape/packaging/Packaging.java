package dev.shipshape.packaging;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Makes all that is shipped: runtime, image and plugin archives, for the platform it runs on and,
 * if its JDK is given, for the other one. Maven runs it with {@code -Pdist}.
 *
 * @param jdk the JDK of the platform
 */
record Packaging(
    Path root,
    Path merged,
    Path dist,
    String version,
    Path libraries,
    Platform platform,
    Path jdk) {
  private static final String HOME = "opt/shipshape";
  private static final String LICENSE = "LICENSE";
  private static final String NOTICE = "NOTICE";

  /**
   * Runs it.
   *
   * @param arguments the repository, the merged jar, the folder to fill, the version, the list of
   *     libraries, the other platform's JDK or nothing
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    var own = Platform.current();
    var packaging =
        new Packaging(
            Path.of(arguments[0]),
            Path.of(arguments[1]),
            Path.of(arguments[2]),
            arguments[3].replace("-SNAPSHOT", ""),
            Path.of(arguments[4]),
            own,
            Path.of(System.getProperty("java.home")));
    Files.createDirectories(packaging.dist);
    // What an earlier build has left would be shipped with this one.
    for (var file : FileTrees.files(packaging.dist)) {
      if (file.startsWith("shipshape-")) {
        Files.delete(packaging.dist.resolve(file));
      }
    }
    packaging.make();
    if (!arguments[5].isEmpty()) {
      packaging.of(own.other(), Path.of(arguments[5])).make();
    }
    packaging.sum();
  }

  private Packaging of(Platform other, Path jdk) {
    return new Packaging(root, merged, dist, version, libraries, other, jdk);
  }

  private void make() throws IOException, InterruptedException {
    var runtime = runtime();
    var bill = BillOfMaterials.read(libraries).addRuntime(runtime);
    bill.write("application", file("shipshape-%s-linux-%s.cdx.json"));
    FileTrees.write(runtime.path().resolve(NOTICE), BillOfMaterials.notice(jars()));
    FileTrees.copyFile(root.resolve(LICENSE), runtime.path().resolve(LICENSE));
    var archives = new PluginArchives(root, work(), runtime, new PluginMetadata(version, platform));
    var helm4 = file("shipshape-%s-linux-%s.tgz");
    archives.writeForHelm4(helm4);
    say("plugin for Helm 4", helm4);
    var helm3 = file("shipshape-%s-helm3-linux-%s.tgz");
    archives.writeForHelm3(helm3);
    say("plugin for Helm 3", helm3);
    var any = dist.resolve("shipshape-%s-any.tgz".formatted(version));
    archives.writeForAnyPlatform(any);
    say("plugin without a JVM", any);
    // Last, because only the image needs Debian's packages: if they cannot be loaded, the rest is
    // there.
    var image = file("shipshape-%s-image-%s.tar");
    say("image " + image(runtime).write(work().resolve("image"), image), image);
    bill.addPackages(debianPackages()).write("container", file("shipshape-%s-image-%s.cdx.json"));
    FileTrees.empty(work());
  }

  private void sum() throws IOException, InterruptedException {
    var shipped =
        FileTrees.files(dist).stream().filter(each -> each.startsWith("shipshape-")).toList();
    FileTrees.write(dist.resolve("SHA256SUMS"), Digests.sums(dist, shipped));
  }

  /** The class path of this process: the libraries that are shipped. */
  private static List<Path> jars() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(each -> each.endsWith(".jar"))
        .map(Path::of)
        .toList();
  }

  private Path debianPackages() {
    return root.resolve("packaging/base/%s.sha256".formatted(platform.architecture()));
  }

  private Path file(String pattern) {
    return dist.resolve(pattern.formatted(version, platform.architecture()));
  }

  private Path work() {
    return dist.resolve("work");
  }

  private RuntimeFolder runtime() throws IOException, InterruptedException {
    var jar = work().resolve("shipshape.jar");
    ApplicationJar.write(merged, version, jar);
    var options = root.resolve("plugin/options");
    var folder = (isOwn() ? dist : work()).resolve("runtime");
    var runtime = RuntimeFolder.link(jar, merged, options, platform, jdk, folder);
    if (isOwn()) {
      Training.run(runtime, root, dist.resolve("training"));
    } else {
      // The JVM would tell at each start that a cache is missing.
      Files.writeString(
          folder.resolve("options/common"), "-Xlog:aot=off:stderr\n", StandardOpenOption.APPEND);
    }
    return runtime;
  }

  private Image image(RuntimeFolder runtime) throws IOException, InterruptedException {
    var base = work().resolve("base");
    var fill = root.resolve("packaging/base/fill");
    BuildTool.run(root, List.of(fill.toString(), debianPackages().toString(), base.toString()));
    var java = layer(runtime, "java", path -> !isOfApplication(path) && !path.endsWith(".aot"));
    var layers = new ArrayList<Path>();
    layers.add(base);
    layers.add(java);
    layers.add(layer(runtime, "application", Packaging::isOfApplication));
    if (isOwn()) {
      var servers = List.of(Role.WEBHOOK.cache(), Role.JANITOR.cache());
      layers.add(layer(runtime, "caches", servers::contains));
    }
    return new Image(
        platform.architecture(), layers, Entrypoint.command("/" + HOME, Role.WEBHOOK), version);
  }

  /** For another platform there are no AOT caches: they take runs of the runtime. */
  private boolean isOwn() {
    return platform == Platform.current();
  }

  static boolean isOfApplication(String path) {
    return List.of(RuntimeFolder.JAR, LICENSE, NOTICE).contains(path)
        || path.startsWith("options/");
  }

  /** Makes the folder of a layer from a part of the runtime. */
  private Path layer(RuntimeFolder runtime, String name, Predicate<String> wanted)
      throws IOException, InterruptedException {
    var folder = FileTrees.empty(work().resolve(name));
    FileTrees.copy(runtime.path(), folder.resolve(HOME), wanted);
    FileTrees.setModes(folder);
    return folder;
  }

  private static void say(String what, Path file) throws IOException {
    System.out.printf("%s: %s, %.1f MB%n", what, file, Files.size(file) / 1e6);
  }
}
