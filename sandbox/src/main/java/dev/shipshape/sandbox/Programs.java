package dev.shipshape.sandbox;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The programs of a control plane, ready to run.
 *
 * @param folder holds etcd, kube-apiserver and kube-controller-manager
 */
public record Programs(Path folder) {

  public Programs {
    folder = folder.toAbsolutePath();
  }

  public static Programs find(Map<String, String> environment, Progress progress) {
    progress.report("looking for the Kubernetes programs");
    return new Programs(Path.of(environment.getOrDefault("SHIPSHAPE_KUBE_BIN", "")));
  }

  /** One program's path. */
  String path(Program program) {
    var path = folder.resolve(program.fileName());
    if (!Files.isExecutable(path)) {
      throw new SandboxException("there is no program " + path);
    }
    return path.toString();
  }
}
