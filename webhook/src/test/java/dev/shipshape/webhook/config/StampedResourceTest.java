package dev.shipshape.webhook.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.shipshape.service.BadSettings;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StampedResourceTest {
  @ParameterizedTest
  @CsvSource({
    "widgets.example.com, widgets, example.com",
    "configmaps, configmaps, ''",
    "deployments.apps, deployments, apps"
  })
  void aResourceIsWrittenAsKubectlNamesIt(String text, String plural, String group) {
    var resource = StampedResource.parse(text);

    assertThat(resource).isEqualTo(new StampedResource(plural, group, false)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*",
        "*.example.com",
        "secrets",
        "pods",
        "leases.coordination.k8s.io",
        "events",
        "events.events.k8s.io",
        "pods/status",
        "Widgets.example.com",
        "widgets.",
        ""
      })
  void whatMustNotBeStampedIsRefusedWithFileLineAndField(String resource) {
    var mistakes =
        catchThrowableOfType(
            BadSettings.class,
            () ->
                WebhookSettings.parse(
                    "webhook.yaml",
                    """
                    apiVersion: shipshape.dev/v1
                    guards: [{preset: nodeconfig}]
                    stamp:
                    - {resource: widgets.example.com, status: true}
                    - {resource: "%s"}
                    """
                        .formatted(resource)));

    assertThat(mistakes.problems())
        .singleElement()
        .asString()
        .startsWith("webhook.yaml:5: stamp[1].resource: ")
        .contains(resource);
  }
}
