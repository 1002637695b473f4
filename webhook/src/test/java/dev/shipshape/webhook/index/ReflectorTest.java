package dev.shipshape.webhook.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.service.ApiConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class ReflectorTest {
  /** As of a record that its own replica writes meanwhile: it is in no page of the list. */
  @Test
  void whatBecomesKnownDuringAListIsNotTakenToBeGone(ControlPlane controlPlane) {
    var known = new ArrayList<>(List.of("gone"));
    var removed = new ArrayList<String>();
    var sink =
        new Reflector.Handler() {
          @Override
          public void put(BoundedObject object) {
            known.add(object.key());
            known.add("written meanwhile");
          }

          @Override
          public void remove(String key, String uid) {
            removed.add(key);
          }

          @Override
          public Stream<String> keys() {
            return known.stream();
          }
        };

    try (var client = ApiConnection.open(controlPlane.kubeconfig(), null)) {
      Reflector.list(client, "/api/v1/namespaces", sink);
    }

    assertThat(removed).containsExactly("gone");
  }
}
