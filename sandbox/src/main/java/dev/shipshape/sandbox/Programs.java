package dev.shipshape.sandbox;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The programs of a control plane, ready to run.
 *
 * @param folder holds etcd, kube-apiserver and kube-controller-manager
 */
public record Programs(Path folder) {

  public Programs {
    folder = folder.toAbsolutePath();
  }

  /**
   * Finds the programs, or gets them. In this order: the folder that {@code SHIPSHAPE_KUBE_BIN}
   * names, or else {@code KUBEBUILDER_ASSETS}; the cache ({@code
   * ${XDG_CACHE_HOME:-~/.cache}/shipshape/kubernetes}); the official release, whose checksums are
   * pinned; a build with Go 1.26 or newer.
   *
   * <p>The release is pinned at the newest patches whose published checksums we could verify, which
   * are older than what the build makes; programs.properties has both.
   *
   * @param environment environment variables
   * @param progress told of downloads and builds: the first time takes minutes
   * @throws SandboxException when a named folder lacks a program, or when nothing worked; says what
   *     was tried and how to fix it
   */
  public static Programs find(Map<String, String> environment, Progress progress) {
    return ProgramSearch.standard(environment).find(EnumSet.allOf(Program.class), progress);
  }

  /** Whether all of the wanted programs are here. */
  boolean have(Set<Program> wanted) {
    return wanted.stream().allMatch(this::has);
  }

  boolean has(Program program) {
    var path = file(program);
    return Files.isRegularFile(path) && Files.isExecutable(path);
  }

  /** Where one program is, or belongs. */
  Path file(Program program) {
    return folder.resolve(program.fileName());
  }

  /**
   * One program's path, to run it.
   *
   * @throws SandboxException when it is not there
   */
  String path(Program program) {
    if (!has(program)) {
      throw new SandboxException(
          "there is no program %s in %s".formatted(program.fileName(), folder));
    }
    return file(program).toString();
  }
}
