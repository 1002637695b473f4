package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ManifestTest {
  private static final String BEFORE =
      """
      ---
      # Source: shipshape/templates/a.yaml
      kind: Deployment
      metadata: {name: a, namespace: n}
      spec: {replicas: 1, template: {spec: {nodeName: x, containers: [{name: w, image: i:1}]}}}
      ---
      kind: ClusterRole
      metadata: {name: b}
      ---
      kind: CustomResourceDefinition
      metadata: {name: c, annotations: {helm.sh/resource-policy: keep}}
      """;

  @Test
  void sameObjectsInAnotherOrderAreNoChange() {
    var after =
        """
        kind: ClusterRole
        metadata: {name: b}
        ---
        kind: CustomResourceDefinition
        metadata: {annotations: {helm.sh/resource-policy: keep}, name: c}
        ---
        kind: Deployment
        metadata: {namespace: n, name: a}
        spec: {template: {spec: {containers: [{image: i:1, name: w}], nodeName: x}}, replicas: 1}
        """;

    assertThat(changes(after)).isEmpty();
  }

  @Test
  void aJanitorIsThereWhereItHasSettings() {
    var settings = "kind: ConfigMap\nmetadata: {name: c}\ndata: {%s: x}\n";

    assertThat(Manifest.parse(settings.formatted("janitor.yaml")).settings().hasJanitor()).isTrue();
    assertThat(Manifest.parse(settings.formatted("webhook.yaml")).settings().hasJanitor())
        .isFalse();
  }

  @Test
  void whatIsMadeChangedAndRemovedIsNamedWithItsFields() {
    var after =
        """
        kind: Deployment
        metadata: {name: a, namespace: n}
        spec: {replicas: 2, template: {spec: {nodeName: y, containers: [{name: w, image: i:2}]}}}
        ---
        kind: Service
        metadata: {name: a, namespace: n}
        """;

    assertThat(changes(after))
        .containsExactly(
            "~ Deployment n/a: spec.replicas, spec.template.spec.containers[name=w].image,"
                + " spec.template.spec.nodeName",
            "+ Service n/a",
            "- ClusterRole b",
            "= CustomResourceDefinition c");
  }

  @Test
  void hooksAreNotAmongTheObjects() {
    var hook =
        """
        kind: Job
        metadata: {name: j, namespace: n, annotations: {helm.sh/hook: pre-delete}}
        """;

    assertThat(Manifest.parse(hook).objects()).isEmpty();
  }

  @Test
  void aGuardIsToBeArmedWhereTheConfigMapWishesAllOfItsWebhooksToFailClosed() {
    var wish =
        """
        kind: ConfigMap
        metadata: {name: a-guard}
        data:
          nodes: "2"
          validating.yaml: |
            kind: ValidatingWebhookConfiguration
            webhooks:
            - {name: widgets.validate.shipshape.dev, failurePolicy: Ignore}
            - {name: nodeconfig.validate.shipshape.dev, failurePolicy: Fail}
            - {name: nodeconfig.validate-override.shipshape.dev, failurePolicy: Fail}
        """;

    assertThat(Manifest.parse(wish).armed()).containsExactly("nodeconfig");
    assertThat(Manifest.parse(wish.replace("Fail", "Ignore")).armed()).isEmpty();
    assertThat(Manifest.parse(BEFORE).armed()).isEmpty();
  }

  private static List<String> changes(String after) {
    return Manifest.parse(BEFORE).changesTo(Manifest.parse(after));
  }
}
