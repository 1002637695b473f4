package dev.shipshape.certs;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RenewalTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final List<String> NAMES = List.of("webhook.ns.svc", "127.0.0.1", "::1");

  private final MovableClock clock = new MovableClock();
  private Renewal renewal = renewal(NAMES);
  private StoredCertificates stored = StoredCertificates.NONE;
  private @Nullable ServingCertificate served;

  private Renewal renewal(List<String> names) {
    return renewal(360, 90, names);
  }

  private Renewal renewal(long authorityDays, long leafDays, List<String> names) {
    return renewal(authorityDays, leafDays, "webhook", names);
  }

  private Renewal renewal(long authorityDays, long leafDays, String name, List<String> names) {
    return new Renewal(
        DAY.multipliedBy(authorityDays), DAY.multipliedBy(leafDays), name, names, clock);
  }

  @Test
  void whereNothingIsStoredAnAuthorityAndItsLeafAreMade() throws Exception {
    assertThat(step(false))
        .containsExactly("nothing is stored yet", "there is no complete and valid leaf");

    assertThat(authorities()).hasSize(1);
    assertThat(serving().authorityNotAfter())
        .isEqualTo(clock.instant().plus(DAY.multipliedBy(360)));
    assertThat(serving().pair().notAfter()).isEqualTo(clock.instant().plus(DAY.multipliedBy(90)));
    assertThat(Authority.names(leaf())).isEqualTo(Authority.names(NAMES));
    assertThat(step(false)).as("and then all is well").isEmpty();
  }

  @Test
  void theLongestNameOfAServiceGivesCertificatesToo() throws Exception {
    renewal = renewal(360, 90, "a".repeat(53), NAMES);

    step(false);

    assertThat(serving().validityProblem(clock.instant())).isEmpty();
  }

  @Test
  void theLeafIsRenewedAtTwoThirdsOfItsLifeAndTheAuthorityStays() throws Exception {
    step(false);
    var authority = authorities();
    var before = stored.leaf();

    clock.move(DAY.multipliedBy(60).minusSeconds(1));
    assertThat(step(false)).isEmpty();
    clock.move(Duration.ofSeconds(1));
    assertThat(step(false)).containsExactly("the leaf is due for renewal");

    assertThat(authorities()).isEqualTo(authority);
    assertThat(stored.leaf()).isNotEqualTo(before);
    var start = clock.instant().minus(Duration.ofMinutes(5));
    assertThat(serving().notBefore()).isEqualTo(start);
    assertThat(serving().authorityNotBefore()).isEqualTo(start.minus(DAY.multipliedBy(60)));
  }

  @Test
  void aNewAuthorityIsTrustedBeforeItsLeafIsServedAndTheOldOneStaysUntilItEnds() throws Exception {
    step(false);
    var old = authorities().getFirst();
    clock.move(DAY.multipliedBy(239));
    step(true);
    var leaf = stored.leaf();
    clock.move(DAY);

    assertThat(step(true)).containsExactly("the authority is due for renewal");
    assertThat(authorities()).hasSize(2).contains(old);
    assertThat(stored.leaf()).as("still the old authority's").isEqualTo(leaf);
    assertThat(step(false)).as("nobody trusts the new bundle yet").isEmpty();

    assertThat(step(true)).containsExactly("all clients trust the new authority");
    assertThat(Pem.isSignedBy(leaf(), authorities().getFirst())).isTrue();
    assertThat(authorities()).hasSize(2).contains(old);

    clock.move(DAY.multipliedBy(59));
    assertThat(step(true)).isEmpty();
    for (var day = 0; day < 63; day += 9) {
      clock.move(DAY.multipliedBy(9));
      step(true);
    }
    assertThat(authorities()).hasSize(1).doesNotContain(old);
    assertThat(serving().validityProblem(clock.instant())).isEmpty();
  }

  @Test
  void anAuthorityThatIsNotTrustedYetIsNotReplacedBeforeItEnds() throws Exception {
    step(false);
    clock.move(DAY.multipliedBy(240));
    step(false);
    var authorities = authorities();

    clock.move(DAY.multipliedBy(60));
    step(false);
    assertThat(authorities()).isEqualTo(authorities);
    clock.move(DAY.multipliedBy(190));
    step(false);

    assertThat(authorities()).as("its leaf is served, as the old one has ended").hasSize(2);
    assertThat(serving().validityProblem(clock.instant())).isEmpty();
  }

  @Test
  void aLeafThatWasMadeForAShorterLifeIsRenewedAtTwoThirdsOfThat() throws Exception {
    renewal = renewal(360, 3, NAMES);
    step(false);
    renewal = renewal(360, 90, NAMES);

    clock.move(DAY.multipliedBy(2).minusSeconds(1));
    assertThat(step(false)).isEmpty();
    clock.move(Duration.ofSeconds(1));
    assertThat(step(false)).containsExactly("the leaf is due for renewal");

    assertThat(serving().pair().notAfter()).isEqualTo(clock.instant().plus(DAY.multipliedBy(90)));
    assertThat(authorities()).hasSize(1);
    clock.move(DAY.multipliedBy(60).minusSeconds(1));
    assertThat(step(false)).as("the new one by the new life").isEmpty();
  }

  @Test
  void anAuthorityThatWasMadeForAShorterLifeIsReplacedWhileItsLeafCanStillBeServed()
      throws Exception {
    renewal = renewal(30, 24, NAMES);
    step(false);
    var old = authorities().getFirst();
    clock.move(DAY.multipliedBy(16));
    step(true);
    var leaf = stored.leaf();
    renewal = renewal(360, 90, NAMES);

    clock.move(DAY.multipliedBy(4).minusSeconds(1));
    assertThat(step(true)).isEmpty();
    clock.move(Duration.ofSeconds(1));
    assertThat(step(true)).containsExactly("the authority is due for renewal");
    assertThat(authorities()).hasSize(2).contains(old);
    assertThat(stored.leaf()).as("until clients trust the new bundle").isEqualTo(leaf);

    assertThat(step(true)).containsExactly("all clients trust the new authority");
  }

  @Test
  void aShorterLifeHoldsForWhatWasMadeForALongerOneToo() throws Exception {
    step(false);
    renewal = renewal(30, 3, NAMES);

    clock.move(DAY.multipliedBy(2));
    assertThat(step(true)).containsExactly("the leaf is due for renewal");
    clock.move(DAY.multipliedBy(18));

    assertThat(step(true)).contains("the authority is due for renewal");
  }

  @Test
  void whateverTheDayTheServedLeafIsTrustedAndValid() throws Exception {
    for (var day = 0; day < 1200; day += 10) {
      step(day % 3 == 0);
      assertThat(serving().validityProblem(clock.instant())).isEmpty();
      assertThat(serving().pair().notAfter()).isBeforeOrEqualTo(serving().authorityNotAfter());
      assertThat(authorities().size()).isBetween(1, 2);
      clock.move(DAY.multipliedBy(10));
    }
  }

  @Test
  void aHalfWrittenLeafIsMadeAnewWhereNothingIsServed() throws Exception {
    step(false);
    stored = new StoredCertificates("x", "y", stored.bundle(), stored.authorityKey());
    served = null;

    assertThat(step(true)).containsExactly("there is no complete and valid leaf");

    assertThat(authorities()).hasSize(1);
    serving();
  }

  @Test
  void aLostBundleIsPutBackFromWhatIsServed() throws Exception {
    step(false);
    var whole = stored;
    stored = new StoredCertificates(whole.leaf(), whole.leafKey(), "no PEM", whole.authorityKey());

    assertThat(step(true))
        .containsExactly("the bundle differs from the authorities that are valid now");

    assertThat(stored).isEqualTo(whole);
  }

  @Test
  void otherNamesMakeAnotherLeaf() throws Exception {
    step(false);
    var other = renewal(List.of("other.ns.svc"));

    assertThat(other.plan(stored, served, false))
        .satisfies(plan -> assertThat(plan.reasons()).containsExactly("the leaf lacks names"));
    // Else old and new replicas of an upgrade would replace each other's leaf.
    var fewer = renewal(NAMES.subList(0, 1));
    assertThat(fewer.plan(stored, served, false).reasons()).isEmpty();
  }

  /** Else old and new replicas of an upgrade would renew it in turn, each second. */
  @Test
  void replicasThatDifferByANameAgreeOnALeafWithBoth() throws Exception {
    var before = renewal(List.of("webhook.ns.svc", "OLD.example.com", "::1"));
    var after = renewal(List.of("webhook.ns.svc", "new.example.com", "::1"));
    renewal = before;
    step(true);
    renewal = after;
    assertThat(step(true)).containsExactly("the leaf lacks names");

    for (var replica : List.of(before, after)) {
      renewal = replica;
      assertThat(step(true)).isEmpty();
    }
    assertThat(leaf().getSubjectAlternativeNames()).as("each once").hasSize(4);

    clock.move(DAY.multipliedBy(60));
    step(true);
    assertThat(Authority.names(leaf()))
        .as("once no old replica runs")
        .containsExactlyInAnyOrderElementsOf(
            Authority.names(List.of("webhook.ns.svc", "new.example.com", "::1")));
  }

  @Test
  void aClockThatWasSetBackMakesNoLeafThatEndsSooner() throws Exception {
    step(false);
    clock.move(Duration.ofMinutes(-4));

    assertThat(step(true)).isEmpty();
  }

  /** What was made by a clock that was ahead; that this one is right is for the caller to know. */
  @Test
  void whatIsNotYetValidIsMadeAnew() throws Exception {
    step(false);
    clock.move(DAY.multipliedBy(-30));

    step(true);

    assertThat(serving().validityProblem(clock.instant())).isEmpty();
    assertThat(authorities()).hasSize(1);
  }

  @Test
  void noKeyIsEverPrinted() {
    step(false);

    assertThat(renewal.plan(StoredCertificates.NONE, null, false) + " " + stored + served)
        .doesNotContain("PRIVATE KEY", stored.authorityKey().substring(40, 80));
  }

  /** Takes one step and serves what is stored; returns the reasons. */
  private List<String> step(boolean bundleStands) {
    var plan = renewal.plan(stored, served, bundleStands);
    if (!plan.reasons().isEmpty()) {
      stored = plan.content();
      served = serving();
    }
    return plan.reasons();
  }

  private ServingCertificate serving() {
    try {
      return ServingCertificate.of(stored.leaf(), stored.leafKey(), stored.bundle());
    } catch (BadCertificate e) {
      throw new AssertionError(e);
    }
  }

  private X509Certificate leaf() throws BadCertificate {
    return Pem.certificates("leaf", stored.leaf()).getFirst();
  }

  private List<X509Certificate> authorities() throws BadCertificate {
    return Pem.certificates("bundle", stored.bundle());
  }
}
