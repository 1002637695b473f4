package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.plugin.TestRelease;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Eventually;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import dev.shipshape.service.StartFailure;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Helm is told to do, on a real API server; Helm is a script. */
@ExtendWith(ControlPlaneExtension.class)
class InstallerTest {
  private static final Values NONE = new Values("", List.of());

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final KubernetesClient client;
  private final String namespace;
  private final TestRelease release;

  @TempDir private Path folder;

  InstallerTest(ControlPlane cluster, UniqueNames names) {
    this.client = ApiConnection.open(cluster.kubeconfig(), null);
    this.namespace = names.namespace("deploying");
    this.release = new TestRelease(cluster, namespace);
  }

  @Test
  void aReleaseThatAnotherToolMadeIsRefused() throws Exception {
    assertThatCode(() -> installer(namespace).requireNotForeign()).doesNotThrowAnyException();

    release.deploy();

    assertThatThrownBy(() -> installer(namespace).requireNotForeign())
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("Helm does not know it");
  }

  @Test
  void whereThereIsNoReleaseTheOneElsewhereIsNamed() {
    release.deploy();

    assertThat(installer(namespace, "default").noRelease("install"))
        .hasMessageContaining("there is one in namespace " + namespace);
    assertThat(installer("nosuch", "default").noRelease("install"))
        .hasMessageContaining("makes it: install");
  }

  /** Helm 3 does not know the flag, nor the method; client-side, Helm 4 refuses it. */
  @ParameterizedTest
  @CsvSource({"ssa, true", "csa, false", "'', false"})
  void fieldsThatOthersOwnAreTakenByForce(String method, boolean forces) throws Exception {
    helm(method, "");
    var installer = installer(namespace);

    installer.plan("chart", NONE);
    installer.deploy("chart", NONE, false, Duration.ZERO);

    assertThat(calls().contains(" --force-conflicts")).isEqualTo(forces);
  }

  @Test
  void aNamespaceThatIsThereIsNotMadeAgain() throws Exception {
    helm("csa", "");

    installer(namespace).deploy("chart", NONE, false, Duration.ZERO);
    assertThat(calls()).doesNotContain("--create-namespace");

    Files.delete(folder.resolve("calls"));
    installer("absent", "absent").deploy("chart", NONE, false, Duration.ZERO);
    assertThat(calls()).contains("--create-namespace");
  }

  @ParameterizedTest(name = "{0}, untried {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "no-recovery-group | !request.userInfo.groups.exists(g, g in [\"system:masters\"]) | false"
            + " | false",
        "no-recovery-group | !request.userInfo.groups.exists(g, g in [\"system:masters\"]) | true |"
            + " true",
        "workers | object.metadata.name == 'worker' | true | true",
        "no-recovery-user | !(request.userInfo.username in [\"somebody-else\"]) | true | false",
        "changes-the-configuration | oldObject == null | true | false"
      })
  void aGuardThatLeavesOutWhoeverTriesItIsArmedOnlyUntried(
      String condition, String expression, boolean untried, boolean may) throws Exception {
    SelfTestTest.define(client);
    release.create(guarding(condition, expression));

    assertThat(installer(namespace).mayBeArmed(List.of(), untried)).as(said()).isEqualTo(may);
    assertThat(said().contains("FAILED")).isEqualTo(!may);
  }

  /** Nobody has seen that the cluster serves its resource, or that calls for it arrive. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPresetThatIsNotRegisteredYetIsArmedOnlyUntried(boolean untried) throws Exception {
    release.create(
        release
            .registration("Validating", "Ignore")
            .replace("g0.validate.", "nodeconfig.validate."));
    assertThat(installer(namespace).mayBeArmed(List.of("nodeconfig"), false)).as(said()).isTrue();
    var presets = List.of("nodeconfig", "t-caas");

    assertThat(installer(namespace).mayBeArmed(presets, untried)).as(said()).isEqualTo(untried);
    assertThat(said()).contains("t-caas is not registered yet").doesNotContain("nodeconfig is not");
  }

  /** A guard that nobody is there to answer for; what it lets through is not noticed. */
  private String guarding(String condition, String expression) {
    return release
        .registration("Validating", "Ignore")
        .replace(
            "\"rules\": []",
            """
            "objectSelector": {"matchLabels": {"only": "%s"}},
            "matchConditions": [{"name": "%s", "expression": "%s"}],
            "rules": [{"apiGroups": ["network.schiff.telekom.de"], "apiVersions": ["v1alpha1"],
              "resources": ["nodeconfigs"], "operations": ["CREATE"]}]
            """
                .formatted(namespace, condition, expression.replace("\"", "\\\"")));
  }

  @Test
  void aReleaseWorksOnceItsGuardIsArmedAsItIsToBe() throws Exception {
    unready();
    try (var thread = Executors.newVirtualThreadPerTaskExecutor()) {
      var works = thread.submit(() -> deploy());
      Eventually.holds(
          "it says that it waits",
          () -> said().contains("waiting: guard g0 is to be armed, but is not yet"));
      assertThat(works.isDone()).as(said()).isFalse();

      var armed = release.registration("Validating", "Fail");
      client
          .admissionRegistration()
          .v1()
          .validatingWebhookConfigurations()
          .withName(namespace)
          .patch(PatchContext.of(PatchType.JSON_MERGE), armed);

      assertThat(works.get()).as(said()).isTrue();
    }
  }

  @Test
  void whileAllIsDisarmedNobodyWaitsForTheGuardAndTheWayBackIsSaid() throws Exception {
    unready();
    release.disarm();

    assertThat(deploy()).isFalse();

    assertThat(said())
        .contains("FAILED: DISARMED by ConfigMap shipshape-disarmed since 2")
        .contains("kubectl -n %s delete configmap shipshape-disarmed".formatted(namespace))
        .doesNotContain("not ready");

    installer(namespace).deploy("chart", NONE, true, Duration.ZERO);

    assertThat(said()).contains("configmaps/shipshape-disarmed: removed");
    assertThat(client.configMaps().inNamespace(namespace).withName("shipshape-disarmed").get())
        .isNull();
  }

  /** All is there but that the guard, which is to be armed, is not. */
  private void unready() throws IOException {
    helm("ssa", "");
    release.deploy(0, false);
    release.wish("Fail");
    release.register("Validating", "Ignore");
  }

  private boolean deploy() throws Exception {
    return installer(namespace).deploy("chart", NONE, false, Duration.ofMinutes(1));
  }

  /** A Helm that has a release, renders one manifest and records its calls. */
  private void helm(String method, String rendered) throws IOException {
    var dryRun = new ObjectMapper().createObjectNode().put("manifest", rendered);
    dryRun.put("apply_method", method);
    Files.writeString(folder.resolve("rendered"), dryRun.toString());
    var script =
        """
        #!/bin/sh
        echo "$*" >> '%1$s/calls'
        case "$*" in
          "get metadata"*) echo 'name: x' ;;
          *--dry-run=server*) cat '%1$s/rendered' ;;
        esac
        """
            .formatted(folder.toString());
    var helm = Files.writeString(folder.resolve("helm"), script);
    Files.setPosixFilePermissions(helm, PosixFilePermissions.fromString("rwx------"));
  }

  /** The call that changes something. */
  private String calls() throws IOException {
    return Files.readAllLines(folder.resolve("calls")).stream()
        .filter(call -> call.startsWith("upgrade") && !call.contains("--dry-run"))
        .findFirst()
        .orElseThrow();
  }

  private Installer installer(String name) {
    return installer(name, namespace);
  }

  private Installer installer(String name, String namespace) {
    var helm = Helm.of(Map.of("HELM_BIN", folder + "/helm"), List.of(), namespace);
    return new Installer(
        client,
        new HelmRelease(helm, name),
        new Console(new PrintWriter(said, true, StandardCharsets.UTF_8)));
  }

  private String said() {
    return said.toString(StandardCharsets.UTF_8);
  }
}
