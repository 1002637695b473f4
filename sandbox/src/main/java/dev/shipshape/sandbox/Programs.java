package dev.shipshape.sandbox;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The programs of a control plane, ready to run.
 *
 * @param folder holds etcd, kube-apiserver and kube-controller-manager
 */
public record Programs(Path folder) {
  static final List<String> FOLDER_VARIABLES = List.of("SHIPSHAPE_KUBE_BIN", "KUBEBUILDER_ASSETS");

  public Programs {
    folder = folder.toAbsolutePath();
  }

  /**
   * Finds the programs, or gets them. In this order: the folder that {@code SHIPSHAPE_KUBE_BIN}
   * names, or else {@code KUBEBUILDER_ASSETS}; the cache ({@code
   * ${XDG_CACHE_HOME:-~/.cache}/shipshape/kubernetes}); the official release, whose checksums are
   * pinned; a build with Go 1.26 or newer.
   *
   * @param environment environment variables
   * @param progress told of downloads and builds: the first time takes minutes
   * @throws SandboxException when a named folder lacks a program, or when nothing worked; says what
   *     was tried and how to fix it
   */
  public static Programs find(Map<String, String> environment, Progress progress) {
    return find(environment, ProgramCache.standard(environment), progress);
  }

  static Programs find(Map<String, String> environment, ProgramCache cache, Progress progress) {
    for (var variable : FOLDER_VARIABLES) {
      var folder = environment.getOrDefault(variable, "");
      if (!folder.isBlank()) {
        return new Programs(Path.of(folder)).complete(variable);
      }
    }
    return cache.find(progress);
  }

  private Programs complete(String variable) {
    if (!isComplete()) {
      throw new SandboxException(
          "%s names %s, where %s is missing: add it, or name another folder, or none"
              .formatted(variable, folder, missing().collect(Collectors.joining(" and "))));
    }
    return this;
  }

  boolean isComplete() {
    return missing().findAny().isEmpty();
  }

  private Stream<String> missing() {
    return Stream.of(Component.values())
        .map(Component::fileName)
        .filter(name -> !Files.isExecutable(folder.resolve(name)));
  }

  /** One program's path, to run it. */
  String path(Component component) {
    return folder.resolve(component.fileName()).toString();
  }
}
