package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The Secrets that cert-manager made for a release. It leaves them behind when their Certificates
 * go, unless it is told otherwise for the whole cluster, and one holds the key of an authority.
 */
final class CertManagerSecrets {
  private CertManagerSecrets() {}

  /**
   * One that cert-manager made.
   *
   * @param certificate for which Certificate, by its name
   * @param issuer signed by which issuer
   */
  private record Made(String name, String certificate, String issuer) {
    private static Made of(JsonNode secret) {
      var annotations = secret.at("/metadata/annotations");
      return new Made(
          nameOf(secret),
          annotations.path("cert-manager.io/certificate-name").asText(),
          annotations.path("cert-manager.io/issuer-name").asText());
    }

    boolean isLeaf() {
      return CertManagerSecrets.isLeaf(certificate, name);
    }

    /** Whether the chart would name the authority so that signed a leaf. */
    boolean isAuthorityOf(Made leaf) {
      var release = leaf.certificate().substring(0, leaf.certificate().lastIndexOf('-'));
      return name.equals(release + "-authority")
          && name.equals(certificate)
          && name.equals(leaf.issuer())
          && issuer.equals(release + "-self-signed");
    }
  }

  /** The names of those that are there now. */
  static List<String> of(KubernetesApi api, String namespace, Manifest release) {
    var certificates = "/apis/cert-manager.io/v1/namespaces/%s/certificates/".formatted(namespace);
    var secrets = api.require("/api/v1/namespaces/%s/secrets".formatted(namespace)).body();
    return of(
        Installed.items(secrets),
        namespace,
        release.ofKind("Certificate"),
        name -> api.find(certificates + name).isPresent());
  }

  /**
   * Those that the chart's own Certificates name; and those of the chart's names whose Certificate
   * is gone, as after an uninstall that broke off, or where the certificates came to be made
   * otherwise. A leaf comes after its authority, which is found by it.
   *
   * @param namespace of the release
   * @param certificates as the release has them, a user's extra ones among them
   * @param isCertificate whether there is a Certificate of a name, whosever it is
   */
  static List<String> of(
      List<JsonNode> secrets,
      String namespace,
      List<JsonNode> certificates,
      Predicate<String> isCertificate) {
    var made =
        secrets.stream().map(Made::of).filter(secret -> !secret.certificate().isEmpty()).toList();
    var own = certificates.stream().filter(each -> isOwn(each, namespace)).toList();
    var named =
        made.stream().filter(secret -> own.stream().anyMatch(each -> isNamed(secret, each)));
    var left = made.stream().filter(Made::isLeaf).filter(leaf -> isGone(leaf, isCertificate));
    return Stream.concat(
            named,
            left.flatMap(
                leaf ->
                    Stream.concat(
                        made.stream()
                            .filter(secret -> secret.isAuthorityOf(leaf))
                            .filter(authority -> isGone(authority, isCertificate)),
                        Stream.of(leaf))))
        .map(Made::name)
        .distinct()
        .toList();
  }

  /** Whether the chart made it, and for here: what {@code extraObjects} bring along is a user's. */
  private static boolean isOwn(JsonNode certificate, String namespace) {
    var metadata = certificate.path("metadata");
    var name = nameOf(certificate);
    var secret = certificate.at("/spec/secretName").asText();
    return metadata.path("namespace").asText().equals(namespace)
        && metadata.path("labels").path("app.kubernetes.io/part-of").asText().equals("shipshape")
        && (isLeaf(name, secret) || (name.endsWith("-authority") && secret.equals(name)));
  }

  /** Whether the chart would name a leaf so, for whichever release. */
  private static boolean isLeaf(String certificate, String secret) {
    return certificate.endsWith("-webhook") && secret.equals(certificate + "-cert-manager");
  }

  private static boolean isNamed(Made secret, JsonNode certificate) {
    return secret.certificate().equals(nameOf(certificate))
        && secret.name().equals(certificate.at("/spec/secretName").asText());
  }

  private static boolean isGone(Made secret, Predicate<String> isCertificate) {
    return !isCertificate.test(secret.certificate());
  }

  private static String nameOf(JsonNode object) {
    return object.at("/metadata/name").asText();
  }
}
