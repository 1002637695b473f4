package dev.shipshape.webhook.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.shipshape.service.BadSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StampedResourceTest {
  @Test
  void aResourceIsWrittenAsKubectlNamesIt() throws BadSettings {
    var settings =
        WebhookSettings.parse(
            "webhook.yaml",
            """
            apiVersion: shipshape.dev/v1
            guards: [{preset: nodeconfig}]
            stamp: [{resource: widgets.example.com, status: true}, {resource: configmaps}]
            """);

    assertThat(settings.stamp())
        .containsExactly(
            new StampedResource("widgets.example.com", true),
            new StampedResource("configmaps", false));
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
