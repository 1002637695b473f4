package dev.shipshape.certs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringWriter;
import java.math.BigInteger;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.assertj.core.api.AbstractStringAssert;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.PKCS8Generator;
import org.bouncycastle.openssl.jcajce.JcaMiscPEMGenerator;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.openssl.jcajce.JceOpenSSLPKCS8EncryptorBuilder;
import org.bouncycastle.openssl.jcajce.JcePEMEncryptorBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.junit.jupiter.api.Test;

class ServingCertificateTest {
  private static final Duration LIFE = Duration.ofDays(1);

  private final MovableClock clock = new MovableClock();
  private final Authority authority = Authority.create("one", LIFE, clock);
  private final KeyPair pair = leaf(authority);

  @Test
  void aPairOfAnAuthorityInTheBundleIsTaken() throws Exception {
    var other = Authority.create("other", LIFE, clock);

    var serving = of(pair.certificate(), pair.key(), other.certificate() + authority.certificate());

    assertThat(serving.pair()).isEqualTo(pair);
    assertThat(serving.isTrustedBy(authority.certificate(), clock.instant())).isTrue();
    assertThat(serving.isTrustedBy(other.certificate(), clock.instant())).isFalse();
    assertThat(serving.isTrustedBy("", clock.instant())).isFalse();
  }

  /** As of a bundle that was forgotten when an authority was renewed with the same key. */
  @Test
  void anAuthorityThatHasExpiredOrIsNotYetValidTrustsNothing() throws Exception {
    var serving = of(pair.certificate(), pair.key(), authority.certificate());
    var now = clock.instant();
    var expired = renewed(now.minus(LIFE), now.minusSeconds(1));
    var future = renewed(now.plusSeconds(1), now.plus(LIFE));

    assertThat(serving.isTrustedBy(expired, now)).isFalse();
    assertThat(serving.isTrustedBy(future, now)).isFalse();
    assertThat(serving.isTrustedBy(expired + authority.certificate(), now)).isTrue();
  }

  @Test
  void ofSeveralCertificatesOfTheAuthorityTheOneThatIsValidLongestCounts() throws Exception {
    var old = renewed(clock.instant().minus(LIFE), clock.instant().minusSeconds(1));
    var next = renewed(clock.instant(), clock.instant().plus(LIFE.multipliedBy(2)));
    var serving = of(pair.certificate(), pair.key(), old + next + authority.certificate());

    assertThat(serving.authorityNotBefore()).isEqualTo(clock.instant());
    assertThat(serving.authorityNotAfter()).isEqualTo(clock.instant().plus(LIFE.multipliedBy(2)));
  }

  /** Another certificate of the authority's key and name. */
  private String renewed(Instant notBefore, Instant notAfter) throws Exception {
    var before = Pem.certificates("x", authority.certificate()).getFirst();
    var builder =
        new JcaX509v3CertificateBuilder(
            before.getSubjectX500Principal(),
            BigInteger.TWO,
            Date.from(notBefore),
            Date.from(notAfter),
            before.getSubjectX500Principal(),
            before.getPublicKey());
    var signer =
        new JcaContentSignerBuilder("SHA256withECDSA").build(Pem.key("x", authority.key()));
    return Pem.text("CERTIFICATE", builder.build(signer).getEncoded());
  }

  @Test
  void aKeyOfAnotherLeafIsRefused() {
    refused(pair.certificate(), leaf(authority).key(), authority.certificate())
        .isEqualTo("tls.key is not the key of the certificate in tls.crt");
  }

  @Test
  void aLeafOfAnotherAuthorityIsRefusedEvenIfItHasTheSameName() {
    var same = Authority.create("one", LIFE, clock);

    refused(pair.certificate(), pair.key(), same.certificate())
        .isEqualTo("the certificate in tls.crt is not signed by an authority in ca.crt");
  }

  @Test
  void whatIsMissingOrCutOffIsNamed() {
    var half = pair.certificate().substring(0, pair.certificate().length() / 2);
    var halfKey = pair.key().substring(0, pair.key().length() / 2);

    refused("", pair.key(), authority.certificate()).isEqualTo("tls.crt is missing");
    refused(half, pair.key(), authority.certificate()).startsWith("tls.crt is not a list");
    refused(pair.certificate(), "", authority.certificate()).isEqualTo("tls.key is missing");
    refused(pair.certificate(), halfKey, authority.certificate())
        .isEqualTo("tls.key is not a private key in PEM");
    refused(pair.certificate(), pair.key(), "hello").startsWith("ca.crt");
  }

  @Test
  void whatAnApiServerWouldNotTakeIsRefused() throws Exception {
    var nameless = authority.issueClient("shipshape-webhook.shipshape.svc", List.of(), LIFE);
    var old = signedWithSha1();
    var ed25519 = KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPrivate();

    refused(nameless.certificate(), nameless.key(), authority.certificate())
        .contains("no subject alternative name");
    refused(old.certificate(), old.key(), authority.certificate())
        .contains("signed with SHA1withECDSA", "API servers reject");
    refused(pair.certificate(), Pem.text(ed25519), authority.certificate())
        .contains("neither an RSA nor an ECDSA key", "Ed25519");
  }

  /** A leaf as of twenty years ago. */
  private KeyPair signedWithSha1() throws Exception {
    var keys = Keys.create();
    var issuer = Pem.certificates("x", authority.certificate()).getFirst();
    var names = new GeneralNames(new GeneralName(GeneralName.dNSName, "x"));
    var builder =
        new JcaX509v3CertificateBuilder(
            issuer,
            BigInteger.TWO,
            Date.from(clock.instant()),
            Date.from(clock.instant().plus(LIFE)),
            new X500Principal("CN=x"),
            keys.getPublic());
    builder.addExtension(Extension.subjectAlternativeName, false, names);
    var signer = new JcaContentSignerBuilder("SHA1withECDSA").build(Pem.key("x", authority.key()));
    return new KeyPair(
        Pem.text("CERTIFICATE", builder.build(signer).getEncoded()),
        Pem.text(keys.getPrivate()),
        clock.instant().plus(LIFE));
  }

  /** cert-manager writes the older form of RSA keys unless told otherwise. */
  @Test
  void keysInTheOlderFormsAreReadToo() throws Exception {
    var generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    var rsa = generator.generateKeyPair();
    var ec = Keys.create();

    assertThat(Pem.key("x", traditional(rsa.getPrivate()))).isEqualTo(rsa.getPrivate());
    assertThat(Keys.isPair(rsa.getPublic(), Pem.key("x", traditional(rsa.getPrivate())))).isTrue();
    assertThat(traditional(ec.getPrivate())).contains("BEGIN EC PRIVATE KEY");
    assertThat(Keys.isPair(ec.getPublic(), Pem.key("x", traditional(ec.getPrivate())))).isTrue();
    assertThat(Keys.isPair(ec.getPublic(), rsa.getPrivate())).isFalse();
  }

  @Test
  void ofAKeyWithAPassphraseItIsSaidThatItIsEncrypted() throws Exception {
    var key = Pem.key("x", pair.key());
    var provider = new BouncyCastleProvider();
    var passphrase = "secret".toCharArray();
    var pkcs8 =
        new JceOpenSSLPKCS8EncryptorBuilder(PKCS8Generator.AES_256_CBC)
            .setProvider(provider)
            .setPassword(passphrase)
            .build();
    var older = new JcePEMEncryptorBuilder("AES-128-CBC").setProvider(provider).build(passphrase);

    for (var encrypted :
        List.of(new JcaPKCS8Generator(key, pkcs8), new JcaMiscPEMGenerator(key, older))) {
      refused(pair.certificate(), pem(encrypted), authority.certificate())
          .isEqualTo("tls.key is encrypted; store it without a passphrase");
    }
  }

  @Test
  void anAuthorityIsReadBackAndSignsOn() throws Exception {
    var again = Authority.of(authority.certificate(), authority.key(), clock);

    var issued = leaf(again);

    of(issued.certificate(), issued.key(), authority.certificate());
    assertThat(again.key()).isEqualTo(authority.key());
    assertThatThrownBy(() -> Authority.of(authority.certificate(), pair.key(), clock))
        .isInstanceOf(BadCertificate.class);
  }

  private static String traditional(PrivateKey key) throws Exception {
    return pem(key instanceof ECPrivateKey ec ? sec1(ec) : key);
  }

  private static String pem(Object key) throws Exception {
    var text = new StringWriter();
    try (var writer = new JcaPEMWriter(text)) {
      writer.writeObject(key);
    }
    return text.toString();
  }

  /** As openssl writes it, with the curve's name. */
  private static PemObject sec1(ECPrivateKey key) throws Exception {
    var named =
        new org.bouncycastle.asn1.sec.ECPrivateKey(256, key.getS(), SECObjectIdentifiers.secp256r1);
    return new PemObject("EC PRIVATE KEY", named.getEncoded());
  }

  private static AbstractStringAssert<?> refused(String certificate, String key, String bundle) {
    try {
      of(certificate, key, bundle);
    } catch (BadCertificate e) {
      return assertThat(e.reason());
    }
    throw new AssertionError("taken");
  }

  private static ServingCertificate of(String certificate, String key, String bundle)
      throws BadCertificate {
    return ServingCertificate.of(certificate, key, bundle);
  }

  private static KeyPair leaf(Authority authority) {
    return authority.issueServer("x", List.of("x"), Duration.ofHours(1));
  }
}
