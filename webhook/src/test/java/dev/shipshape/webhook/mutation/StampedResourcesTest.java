package dev.shipshape.webhook.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.shipshape.service.BadSettings;
import dev.shipshape.webhook.admission.GroupVersionResource;
import dev.shipshape.webhook.config.StampedResource;
import dev.shipshape.webhook.config.WebhookSettings;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StampedResourcesTest {
  private static final StampedResource WIDGETS = new StampedResource("widgets", "example.com");
  private static final GroupVersionResource V1 =
      new GroupVersionResource("example.com", "v1", "widgets");
  private static final GroupVersionResource V2 =
      new GroupVersionResource("example.com", "v2", "widgets");

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1);
  private final AtomicInteger asked = new AtomicInteger();

  @ParameterizedTest
  @CsvSource({
    "widgets.example.com, widgets, example.com",
    "configmaps, configmaps, ''",
    "deployments.apps, deployments, apps"
  })
  void aResourceIsWrittenAsKubectlNamesIt(String text, String plural, String group) {
    var resource = StampedResource.parse(text);

    assertThat(resource).isEqualTo(new StampedResource(plural, group)).hasToString(text);
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
                    - widgets.example.com
                    - "%s"
                    """
                        .formatted(resource)));

    assertThat(mistakes.problems())
        .singleElement()
        .asString()
        .startsWith("webhook.yaml:5: stamp[1]: ")
        .contains(resource);
  }

  @Test
  void onlyWhatIsListedIsStampedInWhateverVersion() {
    var resources = resources(Map.of());

    assertThat(resources.contain(V1)).isTrue();
    assertThat(resources.contain(V2)).isTrue();
    assertThat(resources.contain(new GroupVersionResource("example.org", "v1", "widgets")))
        .isFalse();
    assertThat(StampedResources.none().contain(V1)).isFalse();
    assertThat(StampedResources.none().isDue()).isFalse();
  }

  @Test
  void aStatusIsHashedOnlyWhereItIsKnownToBeStored() {
    var resources = resources(Map.of(V1, false, V2, true));
    assertThat(resources.keepStatus(V1)).as("not asked yet").isFalse();

    resources.ask();

    assertThat(resources.keepStatus(V1)).isTrue();
    assertThat(resources.keepStatus(V2)).isFalse();
    assertThat(resources.keepStatus(new GroupVersionResource("example.com", "v3", "widgets")))
        .isFalse();
  }

  @Test
  void theApiServerIsAskedAgainOnlyWhileSuchObjectsAreWritten() {
    var resources = resources(Map.of(V1, false));
    assertThat(resources.isDue()).isTrue();
    resources.ask();

    pass(Duration.ofDays(1));
    assertThat(resources.isDue()).as("nothing was written").isFalse();

    assertThat(resources.keepStatus(V1)).isTrue();
    assertThat(resources.isDue()).isTrue();
    resources.ask();
    assertThat(resources.keepStatus(V1)).isTrue();
    assertThat(resources.isDue()).as("asked just now").isFalse();
    pass(Duration.ofMinutes(10));
    assertThat(resources.isDue()).isTrue();
    assertThat(asked).hasValue(2);
  }

  @Test
  void anApiServerThatDoesNotAnswerIsAskedAgainAndWhatWasKnownStays() {
    var answers = new AtomicInteger();
    var resources =
        new StampedResources(
            List.of(WIDGETS),
            listed -> {
              if (answers.getAndIncrement() == 0) {
                return Map.of(V1, false);
              }
              throw new KubernetesClientException("not now");
            },
            now::get);
    resources.ask();
    assertThat(resources.keepStatus(V1)).isTrue();
    pass(Duration.ofMinutes(10));

    resources.ask();

    assertThat(resources.keepStatus(V1)).isTrue();
    assertThat(resources.isDue()).isFalse();
    pass(Duration.ofSeconds(30));
    assertThat(resources.isDue()).isTrue();
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  private StampedResources resources(Map<GroupVersionResource, Boolean> statusSubresource) {
    return new StampedResources(
        List.of(WIDGETS),
        listed -> {
          asked.incrementAndGet();
          return statusSubresource;
        },
        now::get);
  }
}
