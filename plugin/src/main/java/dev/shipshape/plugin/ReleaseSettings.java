package dev.shipshape.plugin;

import dev.shipshape.janitor.JanitorSettings;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.StartFailure;
import io.fabric8.kubernetes.client.KubernetesClient;

/** The janitor's settings as a release in the cluster has them. */
final class ReleaseSettings {
  private static final String FILE = "janitor.yaml";

  private ReleaseSettings() {}

  /**
   * Reads them from the release's ConfigMap, without what only its pod has: the file of records.
   *
   * @param namespace the release's
   * @throws StartFailure where there is no release with a janitor
   */
  static JanitorSettings read(KubernetesClient client, String namespace) throws BadSettings {
    var found =
        client.configMaps().inNamespace(namespace).list().getItems().stream()
            .filter(each -> each.getData() != null && each.getData().containsKey(FILE))
            .findFirst()
            .orElseThrow(
                () ->
                    new StartFailure(
                        "there is no release with a janitor in namespace %s: name its namespace by"
                                .formatted(namespace)
                            + " -n, or give the janitor's settings by --settings FILE"));
    var name = "configmap %s/%s %s".formatted(namespace, found.getMetadata().getName(), FILE);
    return JanitorSettings.parse(name, String.valueOf(found.getData().get(FILE)))
        .withoutRecordsFile();
  }
}
