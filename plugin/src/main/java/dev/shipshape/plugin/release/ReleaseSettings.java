package dev.shipshape.plugin.release;

import dev.shipshape.janitor.JanitorSettings;
import dev.shipshape.janitor.kubernetes.ApiErrors;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.StartFailure;
import dev.shipshape.webhook.config.WebhookSettings;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The settings of a release's servers, as its ConfigMaps have them. */
public record ReleaseSettings(List<ConfigMap> configMaps) {
  static final String WEBHOOK = "webhook.yaml";
  static final String JANITOR = "janitor.yaml";
  private static final String VALIDATING = "validating.yaml";

  public ReleaseSettings {
    configMaps = List.copyOf(configMaps);
  }

  /**
   * The settings of the only janitor in a namespace.
   *
   * @throws StartFailure if there is no release with a janitor
   */
  public static JanitorSettings requireJanitor(KubernetesClient client, String namespace)
      throws BadSettings {
    var yaml =
        only(client, namespace, JANITOR)
            .orElseThrow(
                () ->
                    new StartFailure(
                        "there is no release with a janitor in namespace %s: name its namespace by"
                                .formatted(namespace)
                            + " -n, or give the janitor's settings by --settings FILE"));
    return JanitorSettings.parseUsable("%s of namespace %s".formatted(JANITOR, namespace), yaml);
  }

  /**
   * The settings of the only webhook in a namespace; empty if there is no release with one.
   *
   * @throws StartFailure if they may not be read
   */
  public static Optional<WebhookSettings> webhook(KubernetesClient client, String namespace)
      throws BadSettings {
    var yaml = only(client, namespace, WEBHOOK);
    return yaml.isEmpty()
        ? Optional.empty()
        : Optional.of(
            WebhookSettings.parse("%s of namespace %s".formatted(WEBHOOK, namespace), yaml.get()));
  }

  /**
   * The file of the only release in a namespace: what else has such a file there, such as a backup,
   * does not count.
   */
  private static Optional<String> only(KubernetesClient client, String namespace, String file) {
    List<ConfigMap> found;
    try {
      found =
          client
              .configMaps()
              .inNamespace(namespace)
              .withLabel(ReleaseObjects.PART_OF, "shipshape")
              .list()
              .getItems()
              .stream()
              .filter(each -> each.getData() != null && each.getData().containsKey(file))
              .toList();
    } catch (KubernetesClientException e) {
      throw new StartFailure(
          "could not read %s in namespace %s (give it by --settings FILE): %s"
              .formatted(file, namespace, ApiErrors.reason(e)),
          e);
    }
    if (found.size() > 1) {
      throw new StartFailure(
          "%d ConfigMaps of shipshape in namespace %s have %s: give it by --settings FILE"
              .formatted(found.size(), namespace, file));
    }
    return new ReleaseSettings(found).file(file);
  }

  /** A file's text; empty if no ConfigMap has it. */
  Optional<String> file(String name) {
    return configMaps.stream()
        .filter(each -> each.getData() != null && each.getData().containsKey(name))
        .map(each -> String.valueOf(each.getData().get(name)))
        .findFirst();
  }

  /** Whether the release is to have a webhook; so too if it cannot be learned. */
  boolean hasWebhook() {
    return file(WEBHOOK).isPresent() || file(JANITOR).isEmpty();
  }

  Optional<WebhookSettings> webhook() {
    return readable(WEBHOOK, WebhookSettings::parse);
  }

  Optional<JanitorSettings> janitor() {
    return readable(JANITOR, JanitorSettings::parseUsable);
  }

  /** Empty if there are none, or of another version: the pods report what they make of them. */
  private <T extends Record> Optional<T> readable(String name, Parser<T> parser) {
    try {
      var yaml = file(name);
      return yaml.isEmpty() ? Optional.empty() : Optional.of(parser.parse(name, yaml.get()));
    } catch (BadSettings e) {
      return Optional.empty();
    }
  }

  /**
   * Refuses what a server would refuse.
   *
   * @throws BadSettings with all problems, by the fields of the rendered files
   */
  void check() throws BadSettings {
    var problems = new ArrayList<String>();
    check(WEBHOOK, WebhookSettings::parse, problems);
    check(JANITOR, JanitorSettings::parse, problems);
    if (!problems.isEmpty()) {
      throw new BadSettings(problems);
    }
  }

  @FunctionalInterface
  private interface Parser<T extends Record> {
    T parse(String name, String yaml) throws BadSettings;
  }

  private void check(String name, Parser<?> parser, List<String> problems) {
    try {
      var yaml = file(name);
      if (yaml.isPresent()) {
        var _ = parser.parse(name + " as rendered", yaml.get());
      }
    } catch (BadSettings e) {
      problems.addAll(e.problems());
    }
  }

  /** The validating configuration that the webhook is to register; empty if it is to do so not. */
  Optional<WebhookConfiguration> validating() {
    return file(VALIDATING)
        .map(yaml -> WebhookConfiguration.of(YamlDocuments.read(yaml).getFirst()));
  }
}
