package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.plugin.YamlDocuments;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeftOutTest {
  private static final JsonNode ADMINISTRATOR =
      yaml(
          """
          username: admin
          groups: ['kubeadm:cluster-admins', 'system:authenticated']
          """);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "exempt: {users: [admin]} | admin, as whom it is tried, is left out by guard.exempt.users"
            + " (admin)",
        "recovery: {groups: [x, 'kubeadm:cluster-admins']} | admin, as whom it is tried, is left"
            + " out by guard.recovery.groups (kubeadm:cluster-admins)",
        "settings: {exempt: {users: [admin]}} | admin, as whom it is tried, is left out by"
            + " guard.settings.exempt.users (admin)",
        "matchConditions: [{name: a}, {name: b}] | guard.matchConditions may leave it out (a, b)"
      })
  void whatLeavesAUserOutIsNamed(String guard, String reason) {
    assertThat(LeftOut.reason(yaml("guard: {" + guard + "}"), ADMINISTRATOR)).hasValue(reason);
  }

  @Test
  void aGuardForAllLeavesNobodyOut() {
    var others = "guard: {exempt: {users: [b], groups: [admin]}, recovery: {}}";

    assertThat(LeftOut.reason(yaml("{}"), ADMINISTRATOR)).isEqualTo(Optional.empty());
    assertThat(LeftOut.reason(yaml(others), ADMINISTRATOR)).isEmpty();
  }

  private static JsonNode yaml(String text) {
    return YamlDocuments.read(text).getFirst();
  }
}
