package dev.shipshape.sandbox;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The programs of a control plane, ready to run.
 *
 * @param folder holds etcd, kube-apiserver and kube-controller-manager
 */
public record Programs(Path folder) {
  static final List<String> NAMES = List.of("etcd", "kube-apiserver", "kube-controller-manager");

  private static final List<String> FOLDER_VARIABLES =
      List.of("SHIPSHAPE_KUBE_BIN", "KUBEBUILDER_ASSETS");

  public Programs {
    folder = folder.toAbsolutePath();
  }

  /**
   * Finds, downloads or builds the programs. In this order: the folder {@code SHIPSHAPE_KUBE_BIN},
   * else {@code KUBEBUILDER_ASSETS}; the cache ({@code
   * ${XDG_CACHE_HOME:-~/.cache}/shipshape/kubernetes}); the official release, with pinned
   * checksums; a build with Go 1.26 or newer.
   *
   * @param progress called for each download and build, which take minutes
   * @throws SandboxException if all attempts fail; the message has the attempts and what to do
   */
  public static Programs find(Map<String, String> environment, Consumer<String> progress) {
    for (var variable : FOLDER_VARIABLES) {
      var folder = environment.getOrDefault(variable, "");
      if (!folder.isBlank()) {
        return new Programs(Path.of(folder));
      }
    }
    var module = StateFolder.temporary();
    try {
      for (var file : List.of("go.mod", "go.sum")) {
        module.write(file, Resource.text("build/" + file));
      }
      return get(module, environment, progress);
    } catch (IOException | InterruptedException e) {
      throw new SandboxException("could not get the Kubernetes programs: " + e, e);
    } finally {
      module.remove();
    }
  }

  private static Programs get(
      StateFolder module, Map<String, String> environment, Consumer<String> progress)
      throws IOException, InterruptedException {
    var cacheHome = environment.getOrDefault("XDG_CACHE_HOME", "");
    var caches =
        cacheHome.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(cacheHome);
    var cache = caches.resolve("shipshape/kubernetes").toString();
    var script = Resource.text("programs.sh");
    var builder =
        new ProcessBuilder("sh", "-c", script, "programs", cache, module.path().toString());
    builder.environment().putAll(environment);
    var process = builder.start();
    var steps = new ArrayList<String>();
    try (var err = process.errorReader()) {
      err.lines().peek(steps::add).forEach(progress);
    }
    var folder = process.inputReader().readLine();
    if (process.waitFor() != 0 || folder == null) {
      throw new SandboxException(
          "there are no Kubernetes programs: %s are not set, %s does not hold them, and:\n%s"
              .formatted(String.join(" and ", FOLDER_VARIABLES), cache, String.join("\n", steps)));
    }
    return new Programs(Path.of(folder));
  }

  String path(String name) {
    return folder.resolve(name).toString();
  }
}
