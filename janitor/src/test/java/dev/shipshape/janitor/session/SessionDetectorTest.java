package dev.shipshape.janitor.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.shipshape.janitor.TestCluster;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.UniqueNames;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(ControlPlaneExtension.class)
class SessionDetectorTest {
  /** A label that is too long, so that no resolver is asked. */
  private static final URI NOWHERE = URI.create("http://" + "n".repeat(64) + ".invalid");

  @TempDir private Path secret = Path.of("");
  private FaultyApi api;
  private KubernetesClient client;
  private String namespace;

  /** Serves no CFS sessions, until it is healed. */
  @BeforeEach
  void open(ControlPlane controlPlane, UniqueNames names) throws IOException {
    api = FaultyApi.start(controlPlane);
    api.always(request -> request.contains("/apis/cms.cray.com"), FaultyApi.refuse(404));
    client = TestCluster.clientAt(api.address());
    namespace = names.namespace("detection");
  }

  @AfterEach
  void close() {
    client.close();
    api.close();
  }

  @Test
  void theSourceIsFoundAtEachListAndNoneIsGuessed(ControlPlane controlPlane) throws IOException {
    try (var both = FakeCfs.start("v2", "v3");
        var old = FakeCfs.start("v2");
        var neither = FakeCfs.start()) {
      both.put("in-v3", "complete", "2026-01-01T00:00:00", null, null);
      old.put("in-v2", "complete", "2026-01-01T00:00:00", null, null);
      assertThat(names(sessions(both, Source.AUTO))).containsExactly("in-v3");
      for (var code : List.of(401, 403, 500, 503)) {
        both.once(request -> request.contains("/v3/"), code, "");
        assertThatExceptionOfType(KubernetesClientException.class)
            .as("version 2 is not looked for")
            .isThrownBy(() -> names(sessions(both, Source.AUTO)))
            .matches(failure -> failure.getCode() == code);
      }
      assertThat(names(sessions(old, Source.AUTO))).containsExactly("in-v2");
      isRefused(neither, Source.AUTO, "answers 404 to v3 and v2");
      assertThatExceptionOfType(KubernetesClientException.class)
          .isThrownBy(() -> names(sessions(NOWHERE, Source.AUTO)))
          .withMessageStartingWith("GET ")
          .withMessageContaining("sessions.rest.address gave no answer");
      isRefused(both, Source.REST_V2, "rest-v3 was found");
      isRefused(both, Source.CUSTOM_RESOURCES, "no custom resource");

      var moved = sessions(old, Source.AUTO);
      assertThat(names(moved)).containsExactly("in-v2");
      try (var cluster = new TestCluster(controlPlane, namespace)) {
        api.heal();
        cluster.createSession("in-the-cluster", "complete", null);
        assertThatExceptionOfType(KubernetesClientException.class)
            .as("found in a second place")
            .isThrownBy(() -> names(moved))
            .withMessageContaining("and a CFS service");
        old.always(_ -> true, 404, "");
        assertThatExceptionOfType(KubernetesClientException.class)
            .as("a gateway without a route answers 404 too")
            .isThrownBy(() -> names(moved))
            .withMessageContaining("now answers 404");

        both.once(request -> request.contains("/v3/"), 404, "");
        both.once(request -> request.contains("/v2/"), 404, "");
        var upgraded = sessions(both, Source.AUTO);
        assertThat(names(upgraded)).containsExactly("in-the-cluster");
        assertThatExceptionOfType(KubernetesClientException.class)
            .as("the custom resources stayed behind")
            .isThrownBy(() -> names(upgraded))
            .withMessageContaining("and a CFS service");
        both.once(request -> request.contains("/v3/"), 503, "");
        assertThatExceptionOfType(KubernetesClientException.class)
            .as("it is only away for a moment")
            .isThrownBy(() -> names(upgraded))
            .matches(failure -> failure.getCode() == 503);
        isRefused(both, Source.AUTO, "and a CFS service; set custom-resources");
        assertThat(names(sessions(both, Source.CUSTOM_RESOURCES)))
            .containsExactly("in-the-cluster");
        assertThat(names(sessions(both, Source.REST_V3))).containsExactly("in-v3");
        assertThat(names(sessions(neither, Source.AUTO))).containsExactly("in-the-cluster");
        for (var unknown :
            List.of(sessions(withoutToken(both), Source.AUTO), sessions(NOWHERE, Source.AUTO))) {
          assertThat(names(unknown)).containsExactly("in-the-cluster");
        }
      }
    }
  }

  /** As of a catch-all ingress or a sign-in page. */
  @Test
  void onlyAListOfSessionsIsACfsService(ControlPlane controlPlane) throws IOException {
    try (var page = FakeCfs.start();
        var v2 = FakeCfs.start("v2");
        var cluster = new TestCluster(controlPlane, namespace)) {
      page.always(_ -> true, 200, "<html>login</html>");
      v2.always(request -> request.contains("/v2/"), 200, "{\"error\": \"expired\"}");
      for (var service : List.of(page, v2)) {
        assertThatExceptionOfType(KubernetesClientException.class)
            .isThrownBy(() -> names(sessions(service, Source.AUTO)))
            .withMessageContaining("not with a list of sessions: check sessions.rest.address");
      }
      api.heal();
      cluster.createSession("in-the-cluster", "complete", null);
      for (var service : List.of(page, v2)) {
        var detector = sessions(service, Source.AUTO);
        assertThat(names(detector)).containsExactly("in-the-cluster");
        service.heal();
        service.always(_ -> true, 503, "");
        assertThat(names(detector)).containsExactly("in-the-cluster");
      }
    }
  }

  private void isRefused(FakeCfs cfs, Source wanted, String why) {
    assertThatExceptionOfType(KubernetesClientException.class)
        .isThrownBy(() -> names(sessions(cfs, wanted)))
        .withMessageStartingWith("sessions.source ")
        .withMessageContaining("does not match this cluster")
        .withMessageContaining(why);
  }

  /** The token's file is not there. */
  private RestService withoutToken(FakeCfs cfs) {
    var endpoint = new RestEndpoint(cfs.address(), secret.resolve("none"), null);
    return new RestService(endpoint);
  }

  private SessionDetector sessions(FakeCfs cfs, Source wanted) {
    return sessions(cfs.address(), wanted);
  }

  private SessionDetector sessions(URI address, Source wanted) {
    var endpoint = new RestEndpoint(address, null, null);
    return sessions(new RestService(endpoint), wanted);
  }

  private SessionDetector sessions(RestService service, Source wanted) {
    return new SessionDetector(client, service, wanted, namespace);
  }

  private static List<String> names(SessionDetector sessions) {
    return sessions.list().sessions().map(Session::name).toList();
  }
}
