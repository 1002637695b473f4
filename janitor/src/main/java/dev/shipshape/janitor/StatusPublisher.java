package dev.shipshape.janitor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.shipshape.janitor.kubernetes.ApiErrors;
import dev.shipshape.janitor.prune.RunReport;
import dev.shipshape.janitor.restart.OperatorReport;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the two reports in a ConfigMap, when something in them has changed. Only the leader
 * does, so what is there holds for as long as one leads. Best effort: the next report tries again.
 */
final class StatusPublisher {
  private static final Logger logger = LoggerFactory.getLogger(StatusPublisher.class);

  /** For one text: the whole stays far below what an object may take. */
  private static final int MAX_TEXT = 1000;

  private final KubernetesClient client;
  private final String namespace;
  private final JanitorStatus nothing;
  private final BooleanSupplier leads;
  private JanitorStatus status;

  /** What was written last, without the times that change at each check. */
  private JsonNode published = TextNode.valueOf("");

  private String logged = "";

  /**
   * @param nothing what is known before the first report
   */
  StatusPublisher(
      KubernetesClient client, String namespace, JanitorStatus nothing, BooleanSupplier leads) {
    this.client = client;
    this.namespace = namespace;
    this.nothing = nothing;
    this.leads = leads;
    this.status = nothing;
  }

  /** This replica has begun to lead. What earlier runs came to stays. */
  synchronized void beginTerm() {
    published = TextNode.valueOf("");
    status = nothing;
    try {
      var found = resource().get();
      if (found != null && found.getData() != null) {
        var earlier =
            ReportJson.MAPPER.readValue(
                found.getData().getOrDefault(JanitorStatus.KEY, "{}"), JanitorStatus.class);
        status =
            new JanitorStatus(
                nothing.pruneArmed(),
                nothing.restartArmed(),
                earlier.lastRun(),
                earlier.lastGoodRun(),
                List.of());
      }
    } catch (KubernetesClientException e) {
      logOnce(ApiErrors.reason(e));
    } catch (JsonProcessingException e) {
      logOnce("it is of another version, or was edited");
    }
  }

  synchronized void ran(RunReport report) {
    publish(status.withRun(report));
  }

  synchronized void checked(OperatorReport report) {
    publish(status.withOperator(report));
  }

  private void publish(JanitorStatus next) {
    status = next;
    JsonNode json = bounded(ReportJson.MAPPER.valueToTree(next));
    var compared = withoutTimes(json.deepCopy());
    if (compared.equals(published) || !leads.getAsBoolean()) {
      return;
    }
    try {
      write(json.toPrettyString());
      published = compared;
      logged = "";
    } catch (KubernetesClientException e) {
      logOnce(ApiErrors.reason(e));
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

  /** Without the checks' own times. */
  private static JsonNode withoutTimes(JsonNode json) {
    for (var each : json.path("operators")) {
      if (each instanceof ObjectNode operator) {
        operator.remove("at");
      }
    }
    return json;
  }

  private static JsonNode bounded(JsonNode json) {
    if (json instanceof ObjectNode object) {
      object.properties().forEach(field -> field.setValue(bounded(field.getValue())));
    } else if (json.isArray()) {
      json.forEach(StatusPublisher::bounded);
    } else if (json.isTextual() && json.asText().length() > MAX_TEXT) {
      return TextNode.valueOf(json.asText().substring(0, MAX_TEXT) + "...");
    }
    return json;
  }

  private void logOnce(String problem) {
    if (!problem.equals(logged)) {
      logged = problem;
      logger.warn("status: ConfigMap {}/{}: {}", namespace, JanitorStatus.CONFIG_MAP, problem);
    }
  }

  private Resource<ConfigMap> resource() {
    return client.configMaps().inNamespace(namespace).withName(JanitorStatus.CONFIG_MAP);
  }
}
