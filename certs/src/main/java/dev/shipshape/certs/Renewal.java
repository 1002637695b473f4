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
 * Decides when an authority and its leaf are renewed, and repairs invalid parts. A rotation of the
 * authority has three steps:
 *
 * <ol>
 *   <li>The new authority is added to the bundle. The old one stays in it; its key is discarded.
 *       The leaf of the old authority is still served.
 *   <li>Once all clients trust the new bundle, the new authority issues a leaf.
 *   <li>The old authority is removed from the bundle when it expires. No leaf is valid longer than
 *       its authority, so no server serves one of it then.
 * </ol>
 */
public final class Renewal {
  /** The newest are kept. More exist only if the store was deleted repeatedly. */
  private static final int MAX_AUTHORITIES = 10;

  private static final String LACKS_NAMES = "the leaf lacks names";

  /** What to store; one reason for each change, none if nothing changes. */
  public record Plan(StoredCertificates content, List<String> reasons) {}

  private final Duration authorityLife;
  private final Duration leafLife;
  private final String commonName;
  private final List<String> names;
  private final InstantSource clock;

  /** Lives are renewed after two thirds of them, and a leaf that lacks names is replaced. */
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
   * Returns the desired content of the store.
   *
   * @param served the certificate that this process serves, to restore from; null if none yet
   * @param isBundleTrusted whether all clients trust the stored bundle, and have for a while
   */
  public Plan plan(
      StoredCertificates stored, @Nullable ServingCertificate served, boolean isBundleTrusted) {
    var reasons = new ArrayList<String>();
    var now = clock.instant();
    var valid = authorities(stored, served, now);
    var kept = signer(stored, valid, now, reasons);
    var signer = kept.orElseGet(this::newAuthority);
    var leaf =
        leaf(stored, served, signer, valid, kept.isPresent() && isBundleTrusted, now, reasons);
    var bundle = bundle(signer, valid);
    if (reasons.isEmpty() && !bundle.equals(stored.bundle())) {
      reasons.add("the bundle differs from the authorities that are valid now");
    }
    return new Plan(
        new StoredCertificates(leaf.certificate(), leaf.key(), bundle, signer.key()), reasons);
  }

  /** Returns the valid authorities of the store and of the served leaf, the newest first. */
  private static List<X509Certificate> authorities(
      StoredCertificates stored, @Nullable ServingCertificate served, Instant now) {
    var all = new LinkedHashSet<>(readable(stored.bundle()));
    if (served != null) {
      readable(served.bundle()).stream()
          .filter(one -> served.isTrustedBy(Pem.text(one), now))
          .forEach(all::add);
    }
    return all.stream()
        .filter(one -> one.getBasicConstraints() >= 0 && Pem.isValid(one, now))
        .sorted(Comparator.comparing(X509Certificate::getNotBefore).reversed())
        .limit(MAX_AUTHORITIES)
        .toList();
  }

  private static List<X509Certificate> readable(String pem) {
    try {
      return Pem.certificates("ca.crt", pem);
    } catch (BadCertificate e) {
      return List.of();
    }
  }

  /** Returns the authority whose key is stored, unless it is due for renewal. */
  private Optional<Authority> signer(
      StoredCertificates stored, List<X509Certificate> valid, Instant now, List<String> reasons) {
    if (stored.isEmpty()) {
      reasons.add("nothing is stored yet");
      return Optional.empty();
    }
    for (var certificate : valid) {
      try {
        var authority = Authority.of(Pem.text(certificate), stored.authorityKey(), clock);
        // One rotation at a time: an authority is not due before it has issued the stored leaf.
        if (isDue(certificate, now, authorityLife) && signed(stored, certificate)) {
          reasons.add("the authority is due for renewal");
          return Optional.empty();
        }
        return Optional.of(authority);
      } catch (BadCertificate e) {
        // The key belongs to another authority, or is broken; reported below if it fits none.
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
      List<X509Certificate> valid,
      boolean signerIsTrusted,
      Instant now,
      List<String> reasons) {
    var usable = usableLeaf(stored, served, valid, now);
    var reason =
        usable.isEmpty() ? "there is no complete and valid leaf" : renewalReason(usable.get(), now);
    var isOfOtherAuthority =
        usable.isPresent() && !usable.get().isTrustedBy(signer.certificate(), now);
    if (isOfOtherAuthority && reason.isEmpty() && signerIsTrusted) {
      reason = "all clients trust the new authority";
    }
    if (!reason.isEmpty() && (!isOfOtherAuthority || signerIsTrusted)) {
      reasons.add(reason);
      // Replicas with the settings from before need the others: they would renew it in turn.
      var others =
          reason.equals(LACKS_NAMES) ? otherNames(usable.orElseThrow()) : Stream.<String>empty();
      return signer.issueServer(
          commonName, Stream.concat(names.stream(), others).toList(), leafLife);
    }
    var pair = usable.orElseThrow().pair();
    if (!pair.certificate().equals(stored.leaf()) || !pair.key().equals(stored.leafKey())) {
      reasons.add("the stored leaf is incomplete or expired; the served one is restored");
    }
    return pair;
  }

  private static Optional<ServingCertificate> usableLeaf(
      StoredCertificates stored,
      @Nullable ServingCertificate served,
      List<X509Certificate> valid,
      Instant now) {
    var bundle = valid.stream().map(Pem::text).collect(Collectors.joining());
    var fromStore = usable(stored.leaf(), stored.leafKey(), bundle, now);
    return fromStore.isPresent() || served == null
        ? fromStore
        : usable(served.pair().certificate(), served.pair().key(), bundle, now);
  }

  private static Optional<ServingCertificate> usable(
      String leaf, String key, String bundle, Instant now) {
    try {
      return Optional.of(ServingCertificate.of(leaf, key, bundle))
          .filter(one -> one.validityProblem(now).isEmpty());
    } catch (BadCertificate e) {
      return Optional.empty();
    }
  }

  /** Returns why the leaf must be renewed; empty if it need not be. */
  private String renewalReason(ServingCertificate served, Instant now) {
    var leaf = served.chain().getFirst();
    if (isDue(leaf, now, leafLife)) {
      return "the leaf is due for renewal";
    }
    // More names do no harm, and go with the next renewal for another reason.
    return Authority.names(leaf).containsAll(Authority.names(names)) ? "" : LACKS_NAMES;
  }

  private Stream<String> otherNames(ServingCertificate served) {
    var ours = Authority.names(names);
    return Authority.names(served.chain().getFirst()).stream().filter(name -> !ours.contains(name));
  }

  /**
   * Checks whether two thirds of the life are over; a third is left to repair a failing renewal. If
   * the configured life has changed since, the shorter one counts.
   */
  private static boolean isDue(X509Certificate certificate, Instant now, Duration life) {
    var created = certificate.getNotBefore().toInstant().plus(Authority.CLOCK_SKEW);
    var actual = Duration.between(created, certificate.getNotAfter().toInstant());
    var shorter = actual.compareTo(life) < 0 ? actual : life;
    return !now.isBefore(created.plus(shorter.multipliedBy(2).dividedBy(3)));
  }

  /** Puts the time into the name, to tell authorities apart in a bundle; 64 characters at most. */
  private Authority newAuthority() {
    var name = "%.43s %s".formatted(commonName, clock.instant().truncatedTo(ChronoUnit.SECONDS));
    return Authority.create(name, authorityLife, clock);
  }

  private static String bundle(Authority signer, List<X509Certificate> valid) {
    return Stream.concat(Stream.of(signer.certificate()), valid.stream().map(Pem::text))
        .distinct()
        .collect(Collectors.joining());
  }
}
