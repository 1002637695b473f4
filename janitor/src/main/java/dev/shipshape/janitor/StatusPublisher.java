package dev.shipshape.janitor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.shipshape.janitor.prune.RunReport;
import dev.shipshape.janitor.restart.OperatorReport;
import dev.shipshape.service.ApiErrors;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the status in a ConfigMap if it has changed. Only the leader writes, so the ConfigMap
 * is current while a leader exists. Best effort: the next report tries again.
 */
final class StatusPublisher {
  private static final Logger logger = LoggerFactory.getLogger(StatusPublisher.class);

  /** Characters of one text; keeps the ConfigMap far below the limit of 1 MiB. */
  private static final int MAX_TEXT = 1000;

  private final KubernetesClient client;
  private final String namespace;
  private final JanitorStatus initial;
  private final BooleanSupplier isLeader;
  private JanitorStatus status;

  private JsonNode published = TextNode.valueOf("");

  private String loggedProblem = "";

  StatusPublisher(
      KubernetesClient client, String namespace, JanitorStatus initial, BooleanSupplier isLeader) {
    this.client = client;
    this.namespace = namespace;
    this.initial = initial;
    this.isLeader = isLeader;
    this.status = initial;
  }

  /**
   * Starts again after this replica became the leader, with earlier runs; publishes only if asked.
   *
   * @return the earlier status, which also has the checks; the initial one if there is none, it may
   *     not be read, or is not valid
   * @throws KubernetesClientException on other failures: to publish then would erase what it has
   */
  synchronized JanitorStatus beginTerm(boolean publishes) {
    var earlier = read();
    published = TextNode.valueOf("");
    status =
        new JanitorStatus(
            initial.pruneArmed(),
            initial.restartArmed(),
            earlier.lastRun(),
            earlier.lastGoodRun(),
            List.of());
    if (publishes) {
      publish(status);
    }
    return earlier;
  }

  private JanitorStatus read() {
    try {
      var found =
          client.configMaps().inNamespace(namespace).withName(JanitorStatus.CONFIG_MAP).get();
      if (found != null && found.getData() != null) {
        var text = found.getData().getOrDefault(JanitorStatus.KEY, "{}");
        return Objects.requireNonNullElse(
            ReportJson.MAPPER.readValue(text, JanitorStatus.class), initial);
      }
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
        throw e;
      }
      logOnce("could not read it: " + ApiErrors.reason(e));
    } catch (JsonProcessingException e) {
      logOnce("could not parse it; its earlier runs are lost");
    }
    return initial;
  }

  synchronized void publishRun(RunReport report) {
    publish(status.withRun(report));
  }

  synchronized void publishCheck(OperatorReport report) {
    publish(status.withOperator(report));
  }

  private void publish(JanitorStatus next) {
    status = next;
    JsonNode json = truncate(ReportJson.MAPPER.valueToTree(next));
    keepTimes(json);
    if (json.equals(published) || !isLeader.getAsBoolean()) {
      return;
    }
    try {
      write(json.toPrettyString());
      published = json;
      loggedProblem = "";
    } catch (KubernetesClientException e) {
      logOnce("could not write it: " + ApiErrors.reason(e));
    }
  }

  private void write(String text) {
    var configMap =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName(JanitorStatus.CONFIG_MAP)
            .withNamespace(namespace)
            .addToLabels("app.kubernetes.io/part-of", "shipshape")
            .endMetadata()
            .addToData(JanitorStatus.KEY, text)
            .build();
    client.resource(configMap).forceConflicts().fieldManager("shipshape-janitor").serverSideApply();
  }

  /** An operator that is as it was keeps the time at which that was first seen. */
  private void keepTimes(JsonNode json) {
    for (var operator : json.path("operators")) {
      for (var earlier : published.path("operators")) {
        var at = earlier.path("at");
        if (operator.<ObjectNode>deepCopy().set("at", at).equals(earlier)) {
          ((ObjectNode) operator).set("at", at);
        }
      }
    }
  }

  private static JsonNode truncate(JsonNode json) {
    if (json instanceof ObjectNode object) {
      object.properties().forEach(field -> field.setValue(truncate(field.getValue())));
    } else if (json.isArray()) {
      json.forEach(StatusPublisher::truncate);
    } else if (json.isTextual() && json.asText().length() > MAX_TEXT) {
      return TextNode.valueOf(json.asText().substring(0, MAX_TEXT) + "...");
    }
    return json;
  }

  private void logOnce(String problem) {
    if (!problem.equals(loggedProblem)) {
      loggedProblem = problem;
      logger.warn("status: ConfigMap {}/{}: {}", namespace, JanitorStatus.CONFIG_MAP, problem);
    }
  }
}
