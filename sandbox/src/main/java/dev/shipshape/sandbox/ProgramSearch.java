package dev.shipshape.sandbox;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Looks for programs where they may be; where they are not, gets them.
 *
 * @param environment may name a folder
 * @param sources tried in this order
 */
record ProgramSearch(
    Map<String, String> environment, ProgramCache cache, List<ProgramSource> sources) {
  private static final List<String> FOLDER_VARIABLES =
      List.of("SHIPSHAPE_KUBE_BIN", "KUBEBUILDER_ASSETS");

  static ProgramSearch standard(Map<String, String> environment) {
    var properties = ProgramProperties.load();
    return new ProgramSearch(
        environment,
        ProgramCache.of(environment),
        List.of(
            Release.official(properties, environment), GoBuild.standard(properties, environment)));
  }

  Programs find(Set<Program> wanted, Progress progress) {
    for (var variable : FOLDER_VARIABLES) {
      var folder = environment.getOrDefault(variable, "");
      if (!folder.isBlank()) {
        return named(variable, new Programs(Path.of(folder)), wanted);
      }
    }
    return cached(wanted)
        .findFirst()
        .orElseGet(() -> cache.alone(progress, () -> cachedOrNew(wanted, progress)));
  }

  private static Programs named(String variable, Programs programs, Set<Program> wanted) {
    var missing = missing(programs, wanted);
    if (!missing.isEmpty()) {
      throw new SandboxException(
          "%s names %s, where %s is missing: add it, or name another folder, or none"
              .formatted(
                  variable,
                  programs.folder(),
                  missing.stream().map(Program::fileName).collect(Collectors.joining(" and "))));
    }
    return programs;
  }

  private Stream<Programs> cached(Set<Program> wanted) {
    return sources.stream()
        .map(source -> cache.programs(source.version()))
        .filter(programs -> programs.have(wanted));
  }

  /** Another process may have filled the cache while this one waited for its turn. */
  private Programs cachedOrNew(Set<Program> wanted, Progress progress) {
    return cached(wanted).findFirst().orElseGet(() -> fromSource(wanted, progress));
  }

  private Programs fromSource(Set<Program> wanted, Progress progress) {
    var failures = new ArrayList<SandboxException>();
    for (var source : sources) {
      try {
        var missing = missing(cache.programs(source.version()), wanted);
        return cache.fill(source, missing, progress);
      } catch (SandboxException e) {
        progress.report("%s: %s".formatted(source.name(), e.getMessage()));
        failures.add(new SandboxException("- %s: %s".formatted(source.name(), e.getMessage()), e));
      }
    }
    throw nothingWorked(failures);
  }

  private SandboxException nothingWorked(List<SandboxException> failures) {
    var message =
        """
        there are no Kubernetes programs. Tried:
        - a named folder: %s are not set
        - the cache: not all are in %s
        %s
        Do one of these: let SHIPSHAPE_KUBE_BIN name a folder with etcd, kube-apiserver and \
        kube-controller-manager; install Go 1.26 or newer; or give access to the release.\
        """
            .formatted(
                String.join(" and ", FOLDER_VARIABLES),
                cache.root(),
                failures.stream().map(Throwable::getMessage).collect(Collectors.joining("\n")));
    var failure = new SandboxException(message);
    failures.forEach(failure::addSuppressed);
    return failure;
  }

  private static Set<Program> missing(Programs programs, Set<Program> wanted) {
    var missing = EnumSet.copyOf(wanted);
    missing.removeIf(programs::has);
    return missing;
  }
}
