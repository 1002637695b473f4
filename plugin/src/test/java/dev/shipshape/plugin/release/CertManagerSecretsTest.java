package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;

class CertManagerSecretsTest {
  private static final JsonNode LEAF = secret("r-webhook-cert-manager", "r-webhook", "r-authority");
  private static final JsonNode AUTHORITY = secret("r-authority", "r-authority", "r-self-signed");
  private static final List<JsonNode> BOTH = List.of(LEAF, AUTHORITY);
  private static final String NOT_MADE = "{\"metadata\": {\"name\": \"r-webhook-cert-manager\"}}";

  @Test
  void thoseThatTheReleasesCertificatesNameAreItsOwn() {
    var certificates =
        List.of(
            certificate("r-webhook", "r-webhook-cert-manager"),
            certificate("r-authority", "r-authority"));

    assertThat(CertManagerSecrets.of(BOTH, "here", certificates, _ -> true))
        .containsExactlyInAnyOrder("r-webhook-cert-manager", "r-authority");
  }

  @Test
  void thoseOfAUsersOwnCertificatesInTheReleaseStay() {
    var mine = secret("mine", "mine", "r-authority");
    var alike = secret("api-webhook-cert-manager", "api-webhook", "our-own-issuer");
    var unlabelled = certificate("api-webhook", "api-webhook-cert-manager");
    ((ObjectNode) unlabelled.path("metadata")).remove("labels");
    var extraObjects = List.of(certificate("mine", "mine"), unlabelled);

    assertThat(CertManagerSecrets.of(List.of(mine, alike), "here", extraObjects, _ -> true))
        .isEmpty();
  }

  @Test
  void thoseOfTheSameNameAsACertificateInAnotherNamespaceStay() {
    var elsewhere = certificate("r-webhook", "r-webhook-cert-manager");
    ((ObjectNode) elsewhere.path("metadata")).put("namespace", "elsewhere");

    assertThat(CertManagerSecrets.of(BOTH, "here", List.of(elsewhere), _ -> true)).isEmpty();
  }

  @Test
  void thoseThatStayedAfterTheirCertificatesAreFoundAndTheLeafLast() {
    assertThat(CertManagerSecrets.of(BOTH, "here", List.of(), _ -> false))
        .containsExactly("r-authority", "r-webhook-cert-manager");
  }

  @Test
  void anAuthorityThatSignedNoLeafOfOursIsNotOurs() {
    var other = secret("s-webhook-cert-manager", "s-webhook", "our-own-issuer");
    var lookalike = secret("s-authority", "s-authority", "s-self-signed");

    assertThat(CertManagerSecrets.of(List.of(AUTHORITY), "here", List.of(), _ -> false)).isEmpty();
    assertThat(CertManagerSecrets.of(List.of(other, lookalike), "here", List.of(), _ -> false))
        .containsExactly("s-webhook-cert-manager");
  }

  @Test
  void whatStillHasACertificateThatIsNotTheReleasesIsSomebodyElses() {
    assertThat(CertManagerSecrets.of(BOTH, "here", List.of(), _ -> true)).isEmpty();
  }

  @Test
  void whatCertManagerDidNotMakeForThatCertificateStays() throws Exception {
    var certificates = List.of(certificate("r-webhook", "r-webhook-cert-manager"));
    var notMade = new ObjectMapper().readTree(NOT_MADE);
    var another = secret("r-webhook-cert-manager", "another", "r-authority");

    assertThat(CertManagerSecrets.of(List.of(notMade, another), "here", certificates, _ -> false))
        .isEmpty();
  }

  private static JsonNode secret(String name, String certificate, String issuer) {
    var secret = new ObjectMapper().createObjectNode();
    secret
        .putObject("metadata")
        .put("name", name)
        .putObject("annotations")
        .put("cert-manager.io/certificate-name", certificate)
        .put("cert-manager.io/issuer-name", issuer);
    return secret;
  }

  /** As the chart makes it. */
  private static JsonNode certificate(String name, String secret) {
    var certificate = new ObjectMapper().createObjectNode();
    certificate
        .putObject("metadata")
        .put("name", name)
        .put("namespace", "here")
        .putObject("labels")
        .put("app.kubernetes.io/part-of", "shipshape");
    certificate.putObject("spec").put("secretName", secret);
    return certificate;
  }
}
