package dev.shipshape.plugin.release;

import dev.shipshape.janitor.JanitorSettings;
import dev.shipshape.service.ApiErrors;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.StartFailure;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.WebhookSettings;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.AnyNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The settings of a release's servers, read from its ConfigMaps. */
public record ReleaseSettings(List<ConfigMap> configMaps) {
  static final String WEBHOOK = "webhook.yaml";
  static final String JANITOR = "janitor.yaml";
  private static final String VALIDATING = "validating.yaml";

  public ReleaseSettings {
    configMaps = List.copyOf(configMaps);
  }

  /**
   * Reads the settings of the only janitor in a namespace.
   *
   * @throws StartFailure if there is no release with a janitor, or its token is in a file: of this
   *     name, another token could be on this machine, and would be sent to an address of the
   *     cluster
   */
  public static JanitorSettings requireJanitor(KubernetesClient client, String namespace)
      throws BadSettings {
    var origin = "%s of namespace %s".formatted(JANITOR, namespace);
    var settings = JanitorSettings.parse(origin, require(client, namespace, JANITOR));
    if (settings.rest().tokenFile() != null) {
      throw new StartFailure(
          "%s names a token in the janitor's pod, sessions.rest.tokenFile: save the settings, set it to a file of yours, and give them by --settings FILE"
              .formatted(origin));
    }
    return settings;
  }

  /**
   * Reads the settings of the only webhook in a namespace.
   *
   * @throws StartFailure if there is no release with a webhook
   */
  public static WebhookSettings requireWebhook(KubernetesClient client, String namespace)
      throws BadSettings {
    return WebhookSettings.parse(
        "%s of namespace %s".formatted(WEBHOOK, namespace), require(client, namespace, WEBHOOK));
  }

  static boolean hasJanitor(KubernetesClient client, String namespace) {
    return !withFile(JANITOR, client.configMaps().inNamespace(namespace)).isEmpty();
  }

  private static String require(KubernetesClient client, String namespace, String file) {
    List<ConfigMap> found;
    try {
      found = withFile(file, client.configMaps().inNamespace(namespace));
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
    if (found.isEmpty()) {
      throw new StartFailure(
          "there is no release with a %1$s in namespace %2$s%3$s: name its namespace by -n, or give the %1$s's settings by --settings FILE"
              .formatted(file.replace(".yaml", ""), namespace, elsewhere(client, file)));
    }
    return String.valueOf(found.getFirst().getData().get(file));
  }

  /** Names another namespace with a release, if the user may list them. */
  static String elsewhere(KubernetesClient client, String file) {
    try {
      var found =
          withFile(file, client.configMaps().inAnyNamespace()).stream()
              .map(each -> each.getMetadata().getNamespace())
              .collect(Collectors.joining(", "));
      return found.isEmpty() ? "" : ", but there is one in " + found;
    } catch (KubernetesClientException e) {
      return "";
    }
  }

  /** Selects those of releases: a backup of the same file does not count. */
  private static List<ConfigMap> withFile(
      String file, AnyNamespaceOperation<ConfigMap, ConfigMapList, Resource<ConfigMap>> all) {
    return all.withLabel(ReleaseObjects.RELEASE).list().getItems().stream()
        .filter(each -> each.getData() != null && each.getData().containsKey(file))
        .toList();
  }

  /** Returns a file's text; empty if no ConfigMap has it. */
  Optional<String> file(String name) {
    return configMaps.stream()
        .filter(each -> each.getData() != null && each.getData().containsKey(name))
        .map(each -> String.valueOf(each.getData().get(name)))
        .findFirst();
  }

  /** Whether the release is to have a webhook; true if that is unknown. */
  boolean mayHaveWebhook() {
    return file(WEBHOOK).isPresent() || file(JANITOR).isEmpty();
  }

  /** Whether the release is to have a janitor; true if that is unknown. */
  boolean mayHaveJanitor() {
    return hasJanitor() || file(WEBHOOK).isEmpty();
  }

  boolean hasJanitor() {
    return file(JANITOR).isPresent();
  }

  Optional<WebhookSettings> webhook() {
    return parse(WEBHOOK, "", WebhookSettings::parse, new ArrayList<>());
  }

  /** None if the webhook's settings cannot be read. */
  Stream<Guard> guards() {
    return webhook().stream().flatMap(read -> read.guards().stream());
  }

  Optional<JanitorSettings> janitor() {
    return parse(JANITOR, "", JanitorSettings::parse, new ArrayList<>());
  }

  /**
   * Returns what the servers cannot use, a line each.
   *
   * @param origin of the files, behind their names
   */
  List<String> problems(String origin) {
    var problems = new ArrayList<String>();
    parse(WEBHOOK, origin, WebhookSettings::parse, problems);
    parse(JANITOR, origin, JanitorSettings::parse, problems);
    return problems;
  }

  @FunctionalInterface
  private interface Parser<T extends Record> {
    T parse(String name, String yaml) throws BadSettings;
  }

  /** Empty without settings, or if this version cannot read them: then adds the problems. */
  private <T extends Record> Optional<T> parse(
      String name, String origin, Parser<T> parser, List<String> problems) {
    try {
      var yaml = file(name);
      return yaml.isEmpty()
          ? Optional.empty()
          : Optional.of(parser.parse(name + origin, yaml.get()));
    } catch (BadSettings e) {
      problems.addAll(e.problems());
      return Optional.empty();
    }
  }

  /** Reports what of the chart's ConfigMaps is missing or unreadable, a line each. */
  List<String> lost() {
    if (file(WEBHOOK).isEmpty() && file(JANITOR).isEmpty()) {
      return List.of(
          "the ConfigMap with the release's settings is missing: helm shipshape upgrade restores"
              + " it");
    }
    return file(WEBHOOK).isEmpty() || hasValidating()
        ? List.of()
        : List.of(
            "no ConfigMap of the release has a valid validating.yaml: helm shipshape upgrade"
                + " restores it");
  }

  boolean hasValidating() {
    try {
      return validating().isPresent();
    } catch (RuntimeException e) {
      return false;
    }
  }

  /**
   * Returns the validating configuration that the webhook is to register; empty if none.
   *
   * @throws RuntimeException if it is not valid
   */
  Optional<WebhookConfiguration> validating() {
    return file(VALIDATING)
        .map(yaml -> WebhookConfiguration.of(YamlDocuments.read(yaml).getFirst()));
  }
}
