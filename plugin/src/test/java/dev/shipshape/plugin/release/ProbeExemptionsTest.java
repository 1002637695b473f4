package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.authentication.UserInfo;
import io.fabric8.kubernetes.api.model.authentication.UserInfoBuilder;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProbeExemptionsTest {
  private static final UserInfo ADMINISTRATOR =
      new UserInfoBuilder()
          .withUsername("admin")
          .withGroups("kubeadm:cluster-admins", "system:authenticated")
          .build();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "recovery: {users: [admin]} | your user admin is left out by guard.recovery.users (admin)",
        "recovery: {groups: [x, 'kubeadm:cluster-admins']} | your user admin is left"
            + " out by guard.recovery.groups (kubeadm:cluster-admins)",
        "matchConditions: [{name: a}, {name: b}] | guard.matchConditions may leave it out (a, b)"
      })
  void whatLeavesAUserOutIsNamed(String guard, String reason) {
    assertThat(ProbeExemptions.reason(yaml("guard: {" + guard + "}"), ADMINISTRATOR))
        .hasValue(reason);
  }

  @Test
  void aGuardForAllLeavesNobodyOut() {
    var others = "guard: {recovery: {users: [b], groups: [admin]}}";

    assertThat(ProbeExemptions.reason(yaml("{}"), ADMINISTRATOR)).isEqualTo(Optional.empty());
    assertThat(ProbeExemptions.reason(yaml(others), ADMINISTRATOR)).isEmpty();
  }

  private static JsonNode yaml(String text) {
    return YamlDocuments.read(text).getFirst();
  }
}
