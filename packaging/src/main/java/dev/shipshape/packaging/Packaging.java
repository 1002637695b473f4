package dev.shipshape.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Makes everything that is shipped, for the platform it runs on: the runtime, the image's archive
 * and the plugin's archives. Maven runs it with {@code -Pdist}.
 */
final class Packaging {
  private static final String HOME = "opt/shipshape";

  private final Path root;
  private final Path jars;
  private final Path dist;
  private final String version;
  private final Platform platform = Platform.current();

  private Packaging(Path root, Path jars, Path dist, String version) {
    this.root = root;
    this.jars = jars;
    this.dist = dist;
    this.version = version;
  }

  /**
   * Runs it.
   *
   * @param arguments the repository, the folder of the application's jars, the folder to fill, the
   *     version
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    var version = arguments[3].replace("-SNAPSHOT", "");
    new Packaging(Path.of(arguments[0]), Path.of(arguments[1]), Path.of(arguments[2]), version)
        .make();
  }

  private void make() throws IOException, InterruptedException {
    Files.createDirectories(dist);
    var runtime = runtime();
    var archives = new PluginArchives(root, runtime, new PluginMetadata(version, platform));
    var helm4 =
        dist.resolve("shipshape-%s-linux-%s.tgz".formatted(version, platform.architecture()));
    archives.writeForHelm4(helm4);
    checked("plugin for Helm 4", helm4);
    var helm3 =
        dist.resolve("shipshape-%s-helm3-linux-%s.tgz".formatted(version, platform.architecture()));
    archives.writeForHelm3(helm3);
    checked("plugin for Helm 3", helm3);
    // Last, since it alone needs Debian's packages: without them the plugin is there at least.
    var image =
        dist.resolve("shipshape-%s-image-%s.tar".formatted(version, platform.architecture()));
    say("image " + image(runtime).write(image), image);
  }

  private static void checked(String what, Path archive) throws IOException {
    var problems = ArchiveLinter.problems(archive);
    if (!problems.isEmpty()) {
      throw new IOException(archive + ": " + String.join("; ", problems));
    }
    say(what, archive);
  }

  private RuntimeFolder runtime() throws IOException, InterruptedException {
    var module = dist.resolve("shipshape-module.jar");
    ApplicationModule.write(jars(), Entrypoint.MAIN_CLASS, version, module);
    var runtime = RuntimeFolder.link(module, dist.resolve("runtime"));
    runtime.takeLibraries(jars(), platform);
    runtime.takeOptions(root.resolve("plugin/options"));
    Training.run(runtime, dist.resolve("training"));
    return runtime;
  }

  private List<Path> jars() throws IOException {
    try (Stream<Path> all = Files.list(jars)) {
      return all.filter(jar -> jar.toString().endsWith(".jar")).sorted().toList();
    }
  }

  private Image image(RuntimeFolder runtime) throws IOException, InterruptedException {
    var packages = dist.resolve("base");
    Trees.delete(packages);
    var names =
        new DebianPackages(Path.of(System.getProperty("user.home"), ".cache/shipshape/debian"))
            .unpack(
                root.resolve("packaging/base/%s.sha256".formatted(platform.architecture())),
                packages);
    var java = new ArrayList<Item>();
    var application = new ArrayList<Item>();
    var caches = new ArrayList<Item>();
    for (var item : Tar.contentOf(runtime.path(), HOME + "/")) {
      var path = item.path();
      if (path.endsWith(Role.COMMAND.cache()) || path.endsWith(Role.AUDIT.cache())) {
        continue;
      }
      if (path.endsWith(".aot")) {
        caches.add(item);
      } else if (path.endsWith("/lib/modules") || path.contains("/options/")) {
        application.add(item);
      } else {
        java.add(item);
      }
    }
    var base = BaseLayer.of(packages, names);
    var missing = SharedLibraries.missing(Stream.concat(base.stream(), java.stream()).toList());
    if (!missing.isEmpty()) {
      throw new IOException("the image lacks " + String.join("; ", missing));
    }
    return new Image(
        "shipshape:" + version,
        platform.architecture(),
        List.of(
            new Image.Layer("Debian: glibc, time zones, authorities", base),
            new Image.Layer("the JVM", java),
            new Image.Layer("the application, with the JDK's modules", application),
            new Image.Layer("the AOT caches", caches)),
        Entrypoint.command("/" + HOME, Role.WEBHOOK),
        version);
  }

  private static void say(String what, Path file) throws IOException {
    System.out.printf("%s: %s, %.1f MB%n", what, file, Files.size(file) / 1e6);
  }
}
