package dev.shipshape.webhook.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.MissingNode;
import dev.shipshape.webhook.Json;
import dev.shipshape.webhook.config.GuardReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReviewDecoderTest {
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
    assertThat(request.groups()).isEqualTo(List.of("a", "b"));
    assertThat(request.dryRun()).isTrue();
    assertThat(request.written().text(List.of("spec", "ü"))).isEqualTo("€😀");
    assertThat(request.written().text(List.of("spec", "u"))).isEmpty();
    assertThat(request.oldObject().has("spec")).isTrue();
    assertThat(request.oldObject().has("status")).isFalse();
  }

  @Test
  void theObjectsHashIsThatOfItsTreeHoweverLittleOfItIsParsed() {
    var identity = GuardReader.preset("nodeconfig").getFirst().identity();
    for (var content :
        List.of(
            "{\"vrf\":[],\"b\":1,\"a\":[-0,1.50,1e2,\"é\\n\"]}", "[1]", "\"x\"", "1e3", "null")) {
      var request = understood(WHOLE.replace("{\"ü\":\"€😀\"}", content));

      assertThat(request.written().hash(identity))
          .as(content)
          .isEqualTo(identity.hash(Json.json("{spec: " + content + "}")));
    }
    assertThat(understood(WHOLE.replace("\"spec\":{\"ü", "\"x\":{\"ü")).written().hash(identity))
        .isEqualTo(identity.hash(MissingNode.getInstance()));
  }

  @Test
  void theHeadIsTheMetadataWithoutManagedFields() {
    var metadata = "\"metadata\":{\"name\":\"n\",\"managedFields\":[{}],\"labels\":{\"a\":\"b\"}},";
    var request = understood(WHOLE.replace("\"spec\":{\"ü", metadata + "\"spec\":{\"ü"));

    assertThat(request.written().head())
        .hasToString("{\"metadata\":{\"name\":\"n\",\"labels\":{\"a\":\"b\"}}}");
  }

  @Test
  void aMemberThatIsThereTwiceIsRefusedWhenItIsMet() {
    var identity = GuardReader.preset("nodeconfig").getFirst().identity();
    var request = understood(WHOLE.replace("\"ü\":\"€😀\"", "\"a\":{\"b\":1,\"b\":2}"));

    assertThatThrownBy(() -> request.written().hash(identity))
        .isInstanceOf(UnreadableObject.class)
        .hasMessageContaining("member b twice");
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

    assertThat(request.written().exists()).isFalse();
    assertThat(request.oldObject().exists()).isFalse();
    assertThat(request.written().text(List.of("spec"))).isEmpty();
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
          "uid":"u-1" | "uid":7 | request.uid must be a string
          "uid":"u-1" | "uid":null | request.uid must be a string
          "uid":"u-1" | "uid":"" | request.uid is missing
          "uid":"u-1" | "uid2":"" | request.uid is missing
          "operation":"UPDATE" | "operation":"PATCH" | not known to admission: PATCH
          "operation":"UPDATE" | "operation":[] | request.operation must be a string
          "operation":"UPDATE" | "x":1 | request.operation is missing
          "dryRun":true | "dryRun":"yes" | request.dryRun must be true or false
          "username":"jane" | "username":{} | request.userInfo.username must be a string
          "groups":["a","b"] | "groups":"a" | request.userInfo.groups must be a list
          "groups":["a","b"] | "groups":[1] | request.userInfo.groups must be a string
          "resource":"ks" | "resource":"" | request.resource needs version and resource
          "name":"n" | "name":7 | request.name must be a string
          "name":"n" | "name":"n","name":"m" | request has name twice
          "name":"n" | "name":n | not valid JSON
          "spec":{"ü":"€😀"} | "a":1,"a":2 | request.object has a twice
          "spec":{"ü":"€😀"} | "metadata":{"name":"n","name":"m"} | metadata has name twice
          admission.k8s.io/v1 | admission.k8s.io/v1beta1 | must be admission.k8s.io/v1 AdmissionReview, is admission.k8s.io/v1beta1
          AdmissionReview | Review | must be admission.k8s.io/v1 AdmissionReview, is admission.k8s.io/v1 Review
          """)
  void whatIsWrongIsNamed(String good, String bad, String problem) {
    assertThat(WHOLE).contains(good);

    assertThat(malformed(WHOLE.replace(good, bad)).problem()).contains(problem);
  }

  @Test
  void theUidIsKnownAsSoonAsItCame() {
    assertThat(malformed(WHOLE.replace("\"UPDATE\"", "7")).uid()).isEqualTo("u-1");
  }

  @Test
  void aReviewCutOffAnywhereIsRefusedAndKeepsItsUid() {
    var bytes = WHOLE.getBytes(StandardCharsets.UTF_8);
    var uidEnds = WHOLE.indexOf("u-1\"") + 4;
    for (var length = 1; length < bytes.length; length++) {
      var cut = Arrays.copyOf(bytes, length);

      var reading = (Decoded.Malformed) ReviewDecoder.decode(cut);

      assertThat(reading.uid()).as("cut at %d", length).isEqualTo(length < uidEnds ? null : "u-1");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          [] | the body must be an object
          7 | the body must be an object
          {} | must be admission.k8s.io/v1
          {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"} | request is missing
          {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":[]} | request must be an object
          {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":null} | request must be an object
          """)
  void whatIsNoReviewIsRefused(String body, String problem) {
    assertThat(malformed(body).problem()).contains(problem);
  }

  @Test
  void anEmptyBodyIsRefused() {
    assertThat(malformed("").problem()).isEqualTo("the body is empty");
  }

  @Test
  void somethingBehindTheReviewIsRefused() {
    assertThat(malformed(WHOLE + "{}").problem()).contains("something follows");
    assertThat(malformed(WHOLE + "x").problem()).contains("not valid JSON");
  }

  @Test
  void otherEncodingsAreRefused() {
    for (var charset : List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
      assertThat(ReviewDecoder.decode(WHOLE.getBytes(charset)))
          .isInstanceOf(Decoded.Malformed.class);
    }
    var latin = WHOLE.replace("€😀", "").getBytes(StandardCharsets.ISO_8859_1);
    assertThat(ReviewDecoder.decode(latin)).isInstanceOf(Decoded.Malformed.class);
  }

  @Test
  void depthHasALimit() {
    var deep = WHOLE.replace("\"€😀\"", "[".repeat(100_000) + "]".repeat(100_000));

    assertThat(malformed(deep).problem()).contains("depth");
  }

  @Test
  void randomDamageNeverThrows() {
    var random = new Random(4);
    var whole = WHOLE.getBytes(StandardCharsets.UTF_8);
    for (var attempt = 0; attempt < 20_000; attempt++) {
      var damaged = whole.clone();
      for (var count = 0; count <= random.nextInt(3); count++) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }

      switch (ReviewDecoder.decode(damaged)) {
        case Decoded.Request(var request) -> request.oldObject().hashOf("spec");
        case Decoded.Malformed(_, var problem) -> assertThat(problem).isNotEmpty();
      }
    }
  }

  private static AdmissionRequest understood(String body) {
    return ((Decoded.Request) ReviewDecoder.decode(body.getBytes(StandardCharsets.UTF_8)))
        .request();
  }

  private static Decoded.Malformed malformed(String body) {
    return (Decoded.Malformed) ReviewDecoder.decode(body.getBytes(StandardCharsets.UTF_8));
  }
}
