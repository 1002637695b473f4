package dev.shipshape.certs;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides when an authority and its leaf are made anew, and heals what is broken. Authority and
 * leaf are renewed apart:
 *
 * <ol>
 *   <li>A new authority joins the bundle, the old one stays in it and its key is forgotten. The
 *       leaf stays the old one's.
 *   <li>Once all clients trust the new bundle, a leaf of the new authority takes over.
 *   <li>The old authority leaves the bundle when it ends. No leaf outlives its authority, so by
 *       then no server can serve a leaf of it, and nobody needs to be asked.
 * </ol>
 */
public final class Renewal {
  /** The newest stay; more can only come from somebody who deletes the store again and again. */
  private static final int MOST_AUTHORITIES = 10;

  private final Duration authorityLife;
  private final Duration leafLife;
  private final String commonName;
  private final List<String> names;
  private final InstantSource clock;

  /**
   * @param authorityLife from its making to its end; renewed at two thirds, as the leaf is
   * @param commonName of the leaf
   * @param names what the leaf is valid for; a leaf with other names is replaced
   */
  public Renewal(
      Duration authorityLife,
      Duration leafLife,
      String commonName,
      List<String> names,
      InstantSource clock) {
    this.authorityLife = authorityLife;
    this.leafLife = leafLife;
    this.commonName = commonName;
    this.names = List.copyOf(names);
    this.clock = clock;
  }

  /**
   * Looks at what is stored and says what should be.
   *
   * @param served what this process serves, to restore from; null where it serves nothing yet
   * @param bundleStands whether all clients have trusted the stored bundle for a while
   */
  public RenewalPlan plan(
      StoredCertificates stored, @Nullable ServingCertificate served, boolean bundleStands) {
    var reasons = new ArrayList<String>();
    var now = clock.instant();
    var known = authorities(stored, served, now);
    var kept = signer(stored, known, now, reasons);
    var signer = kept.orElseGet(this::newAuthority);
    var leaf = leaf(stored, served, signer, known, kept.isPresent() && bundleStands, now, reasons);
    var bundle = bundle(signer, known);
    if (reasons.isEmpty() && !bundle.equals(stored.bundle())) {
      reasons.add("the bundle is not the authorities that are valid now");
    }
    return new RenewalPlan(
        new StoredCertificates(leaf.certificate(), leaf.key(), bundle, signer.key()), reasons);
  }

  /**
   * All that are valid now, the newest first: the store's, and what the served leaf still needs.
   */
  private static List<X509Certificate> authorities(
      StoredCertificates stored, @Nullable ServingCertificate served, Instant now) {
    var all = new LinkedHashSet<>(readable(stored.bundle()));
    if (served != null) {
      readable(served.bundle()).stream()
          .filter(one -> served.isTrustedBy(Pem.text(one)))
          .forEach(all::add);
    }
    return all.stream()
        .filter(one -> one.getBasicConstraints() >= 0 && isValid(one, now))
        .sorted(Comparator.comparing(X509Certificate::getNotBefore).reversed())
        .limit(MOST_AUTHORITIES)
        .toList();
  }

  private static List<X509Certificate> readable(String pem) {
    try {
      return Pem.certificates("ca.crt", pem);
    } catch (BadCertificate e) {
      return List.of();
    }
  }

  /** The authority whose key is stored, if it may go on signing. */
  private Optional<Authority> signer(
      StoredCertificates stored, List<X509Certificate> known, Instant now, List<String> reasons) {
    if (stored.isEmpty()) {
      reasons.add("nothing is stored yet");
      return Optional.empty();
    }
    for (var certificate : known) {
      try {
        var authority = Authority.of(Pem.text(certificate), stored.authorityKey(), clock);
        // One rotation at a time: while its leaf is not served yet, an authority is not too old.
        if (isDue(certificate, now, authorityLife) && signed(stored, certificate)) {
          reasons.add("the authority has reached the age of its renewal");
          return Optional.empty();
        }
        return Optional.of(authority);
      } catch (BadCertificate e) {
        // The key is another's, or broken; said below where it is nobody's.
      }
    }
    reasons.add("no authority in ca.crt is valid and has its key in ca.key");
    return Optional.empty();
  }

  private static boolean signed(StoredCertificates stored, X509Certificate authority) {
    return readable(stored.leaf()).stream().anyMatch(leaf -> Pem.isSignedBy(leaf, authority));
  }

  private KeyPair leaf(
      StoredCertificates stored,
      @Nullable ServingCertificate served,
      Authority signer,
      List<X509Certificate> known,
      boolean signerIsTrusted,
      Instant now,
      List<String> reasons) {
    var good = goodLeaf(stored, served, known, now);
    var due =
        good.isEmpty() ? "there is no leaf that is whole and valid" : whyRenew(good.get(), now);
    var foreign = good.isPresent() && !good.get().isTrustedBy(signer.certificate());
    if (foreign && due.isEmpty() && signerIsTrusted) {
      due = "all clients trust the new authority";
    }
    if (!due.isEmpty() && (!foreign || signerIsTrusted)) {
      reasons.add(due);
      return signer.issueServer(new ServerRequest(commonName, names, leafLife));
    }
    var pair = good.orElseThrow().pair();
    if (!pair.certificate().equals(stored.leaf()) || !pair.key().equals(stored.leafKey())) {
      reasons.add("the stored leaf is not whole; the one that is served is put back");
    }
    return pair;
  }

  private static Optional<ServingCertificate> goodLeaf(
      StoredCertificates stored,
      @Nullable ServingCertificate served,
      List<X509Certificate> known,
      Instant now) {
    var bundle = known.stream().map(Pem::text).collect(Collectors.joining());
    var fromStore = whole(stored.leaf(), stored.leafKey(), bundle, now);
    return fromStore.isPresent() || served == null
        ? fromStore
        : whole(served.pair().certificate(), served.pair().key(), bundle, now);
  }

  private static Optional<ServingCertificate> whole(
      String leaf, String key, String bundle, Instant now) {
    try {
      return Optional.of(ServingCertificate.of(leaf, key, bundle))
          .filter(one -> one.outOfTime(now).isEmpty());
    } catch (BadCertificate e) {
      return Optional.empty();
    }
  }

  private String whyRenew(ServingCertificate served, Instant now) {
    var leaf = served.chain().getFirst();
    if (isDue(leaf, now, leafLife)) {
      return "the leaf has reached the age of its renewal";
    }
    return Authority.names(leaf).equals(Authority.names(names)) ? "" : "the leaf has other names";
  }

  /**
   * Whether it has reached two thirds of its life, so that a third is left to see and mend what
   * keeps it from renewal. One may have been made when lives were others: the shorter one counts.
   */
  private static boolean isDue(X509Certificate certificate, Instant now, Duration life) {
    var made = certificate.getNotBefore().toInstant().plus(Authority.CLOCK_SKEW);
    var given = Duration.between(made, certificate.getNotAfter().toInstant());
    var shorter = given.compareTo(life) < 0 ? given : life;
    return !now.isBefore(made.plus(shorter.multipliedBy(2).dividedBy(3)));
  }

  private static boolean isValid(X509Certificate certificate, Instant now) {
    return !now.isBefore(certificate.getNotBefore().toInstant())
        && now.isBefore(certificate.getNotAfter().toInstant());
  }

  /** With the time in its name, for whoever looks at a bundle of two. */
  private Authority newAuthority() {
    var name = "%s %s".formatted(commonName, clock.instant().truncatedTo(ChronoUnit.SECONDS));
    return Authority.create(name, authorityLife, clock);
  }

  private static String bundle(Authority signer, List<X509Certificate> known) {
    return Stream.concat(Stream.of(signer.certificate()), known.stream().map(Pem::text))
        .distinct()
        .collect(Collectors.joining());
  }
}
