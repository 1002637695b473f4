package dev.shipshape.webhook.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdmissionReviewTest {
  private static final String WHOLE =
      """
      {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u-1",\
      "kind":{"group":"g","version":"v1","kind":"K"},\
      "resource":{"group":"g","version":"v1","resource":"ks"},"subResource":"status",\
      "name":"n","namespace":"ns","operation":"UPDATE",\
      "userInfo":{"username":"jane","uid":"7","groups":["a","b"],"extra":{"x":["y"]}},\
      "object":{"spec":{"ü":"€😀"}},"oldObject":{"spec":{"ä":[1,{"b":2}]}},"dryRun":true,\
      "options":{"kind":"UpdateOptions"}}}\
      """;

  @Test
  void aReviewIsReadWhole() {
    var request = understood(WHOLE);

    assertThat(request.uid()).isEqualTo("u-1");
    assertThat(request.operation()).isEqualTo(Operation.UPDATE);
    assertThat(request.resource()).isEqualTo(new GroupVersionResource("g", "v1", "ks"));
    assertThat(request.subResource()).isEqualTo("status");
    assertThat(request.name()).isEqualTo("n");
    assertThat(request.namespace()).isEqualTo("ns");
    assertThat(request.user()).isEqualTo("jane");
    assertThat(request.dryRun()).isTrue();
    assertThat(request.object().at("/spec/ü").asText()).isEqualTo("€😀");
    assertThat(request.oldObject().has("spec")).isTrue();
    assertThat(request.oldObject().has("status")).isFalse();
  }

  @Test
  void whatIsAbsentIsEmpty() {
    var request =
        understood(
            """
            {"request":{"operation":"CREATE","object":null,"oldObject":null,"dryRun":null,
             "resource":{"version":"v1","resource":"pods"},"uid":"u-1"},
             "apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","more":[1]}
            """);

    assertThat(request.object().isMissingNode()).isTrue();
    assertThat(request.oldObject().isMissingNode()).isTrue();
    assertThat(request.dryRun()).isFalse();
    assertThat(request.user()).isEmpty();
    assertThat(request.resource()).hasToString("pods");
  }

  @ParameterizedTest(name = "{0} for {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "uid":"u-1" | "uid":null | request.uid is missing
          "uid":"u-1" | "uid":"" | request.uid is missing
          "uid":"u-1" | "uid2":"" | request.uid is missing
          "operation":"UPDATE" | "operation":"PATCH" | not an operation of admission: PATCH
          "operation":"UPDATE" | "operation":[] | request.operation is missing
          "operation":"UPDATE" | "x":1 | request.operation is missing
          "resource":"ks" | "resource":"" | request.resource.resource is missing
          "name":"n" | "name":"n","name":"m" | Duplicate field 'name'
          "name":"n" | "name":n | not valid JSON
          "spec":{"ü":"€😀"} | "spec":{"a":[{"mtu":100e2147483647}]} | number at /request/object/spec/a/0/mtu is too
          "spec":{"ü":"€😀"} | "a":1,"a":2 | Duplicate field 'a'
          "spec":{"ü":"€😀"} | "metadata":{"name":"n","name":"m"} | Duplicate field 'name'
          admission.k8s.io/v1 | admission.k8s.io/v1beta1 | must be admission.k8s.io/v1 AdmissionReview, is admission.k8s.io/v1beta1
          AdmissionReview | Review | must be admission.k8s.io/v1 AdmissionReview, is admission.k8s.io/v1 Review
          """)
  void whatIsWrongIsNamed(String good, String bad, String problem) {
    assertThat(WHOLE).contains(good);

    assertThat(problem(WHOLE.replace(good, bad))).contains(problem);
  }

  @Test
  void aReviewCutOffAnywhereIsRefused() {
    var bytes = WHOLE.getBytes(StandardCharsets.UTF_8);
    for (var length = 0; length < bytes.length; length++) {
      var cut = Arrays.copyOf(bytes, length);

      assertThatThrownBy(() -> AdmissionReview.read(cut)).isInstanceOf(Refused.class);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          [] | must be admission.k8s.io/v1
          7 | must be admission.k8s.io/v1
          {} | must be admission.k8s.io/v1
          {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"} | request must be an object
          {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":[]} | request must be an object
          {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":null} | request must be an object
          """)
  void whatIsNoReviewIsRefused(String body, String problem) {
    assertThat(problem(body)).contains(problem);
  }

  @Test
  void anEmptyBodyIsRefused() {
    assertThat(problem("")).isEqualTo("the body is empty");
  }

  @Test
  void somethingBehindTheReviewIsRefused() {
    assertThat(problem(WHOLE + "{}")).contains("Trailing token");
    assertThat(problem(WHOLE + "x")).contains("not valid JSON");
  }

  @Test
  void depthHasALimit() {
    var deep = WHOLE.replace("\"€😀\"", "[".repeat(100_000) + "]".repeat(100_000));

    assertThat(problem(deep)).contains("depth");
  }

  @Test
  void anObjectOfTooManyPartsIsRefusedWithThem() {
    var many = WHOLE.replace("\"€😀\"", "[" + "1,".repeat(250_000) + "1]");

    assertThat(problem(many))
        .startsWith("request.object is too large to be judged: it has 250")
        .endsWith("the limit is 250000");
  }

  private static AdmissionRequest understood(String body) {
    return AdmissionReview.read(body.getBytes(StandardCharsets.UTF_8));
  }

  private static String problem(String body) {
    try {
      return "understood: " + understood(body);
    } catch (Refused e) {
      return e.message();
    }
  }
}
