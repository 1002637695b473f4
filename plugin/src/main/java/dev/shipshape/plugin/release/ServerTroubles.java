package dev.shipshape.plugin.release;

import dev.shipshape.plugin.release.Exposition.Sample;
import dev.shipshape.plugin.release.Servers.Asked;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What is wrong with servers that run, by what they say of themselves; mostly what the chart's
 * alerts go by, without the wait.
 *
 * @param now by which certificates end
 */
record ServerTroubles(Servers servers, Instant now) {
  private static final String WEBHOOK = "shipshape_webhook_";
  private static final String JANITOR = "shipshape_janitor_";

  private static final double STALE = 60;

  /**
   * Certificates that the API server does not accept, or soon will not.
   *
   * @param renewal when they are to be renewed
   */
  Stream<String> certificates(Renewal renewal) {
    return each(servers.webhooks(), WEBHOOK + "certificate_expiry_timestamp_seconds")
        .flatMap(found -> certificate(found.server(), found.sample(), renewal));
  }

  private Stream<String> certificate(Asked server, Sample expiry, Renewal renewal) {
    var which = expiry.label("certificate");
    var end = Instant.ofEpochSecond((long) expiry.value());
    if (Double.isNaN(expiry.value())) {
      return Stream.of("%s has no certificate to serve".formatted(server.pod()));
    }
    if (!end.isAfter(now)) {
      return Stream.of(
          "%s serves a certificate whose %s ended at %s: the webhook cannot be asked"
              .formatted(server.pod(), which, end));
    }
    var begin =
        server
            .metrics()
            .greatest(
                WEBHOOK + "certificate_start_timestamp_seconds",
                "certificate=\"%s\"".formatted(which));
    var left = Duration.between(now, end);
    // Without a beginning its life is not known, and whatever is left is not too little of it.
    var life = Duration.ofSeconds((long) (expiry.value() - begin.orElse(expiry.value())));
    return left.compareTo(renewal.overdue(which, life)) < 0
        ? Stream.of(
            "%s serves a certificate whose %s ends at %s, and was to be renewed before"
                .formatted(server.pod(), which, end))
        : Stream.empty();
  }

  /**
   * Certificates that are not trusted where they should be.
   *
   * @param trustsSomebody whether the configuration {@code validating} or {@code mutating} is there
   *     and has a caBundle; that it has not is another trouble
   */
  Stream<String> trust(Predicate<String> trustsSomebody) {
    return each(servers.webhooks(), WEBHOOK + "ca_bundle_matches")
        .filter(found -> found.sample().value() == 0)
        .filter(found -> trustsSomebody.test(found.sample().label("configuration")))
        .map(
            found ->
                "%s serves a certificate that the %s configuration's caBundle does not trust: it"
                        .formatted(found.server().pod(), found.sample().label("configuration"))
                    + " cannot be asked");
  }

  /**
   * Indexes that do not follow the API server.
   *
   * @param isServed whether the cluster has what a guard is for; else there is nothing to follow
   */
  Stream<String> index(Predicate<String> isServed) {
    return Stream.concat(
        each(servers.webhooks(), WEBHOOK + "index_synced")
            .filter(found -> found.sample().value() == 0)
            .filter(found -> isServed.test(found.sample().label("guard")))
            .map(
                found ->
                    "%s has not listed what there is for %s, and puts calls off"
                        .formatted(found.server().pod(), found.sample().label("guard"))),
        each(servers.webhooks(), WEBHOOK + "index_staleness_seconds")
            .filter(found -> found.sample().value() > STALE)
            .filter(found -> isSynced(found.server(), found.sample().label("guard")))
            .filter(found -> isServed.test(found.sample().label("guard")))
            .map(
                found ->
                    "%s has not followed the API server for %d s (%s)"
                        .formatted(
                            found.server().pod(),
                            (long) found.sample().value(),
                            found.sample().label("guard"))));
  }

  private static boolean isSynced(Asked server, String guard) {
    return server.metrics().sum(WEBHOOK + "index_synced", "guard=\"%s\"".formatted(guard)).orElse(1)
        > 0;
  }

  /** Janitors that run and do nothing. */
  Stream<String> idleJanitors() {
    var idle =
        each(servers.janitors(), JANITOR + "settings_valid")
            .filter(found -> found.sample().value() == 0)
            .map(
                found ->
                    "%s's janitor is idle: it cannot use its settings, see its log"
                        .formatted(found.server().pod()));
    // All replicas have the same rights, and need not look at the same moment.
    var rights =
        each(servers.janitors(), JANITOR + "rights_missing")
            .filter(found -> found.sample().value() > 0)
            .map(found -> found.sample().label("task"))
            .distinct()
            .map("the janitor lacks rights for its task %s: see its log"::formatted);
    return Stream.concat(idle, rights);
  }

  /**
   * Nobody leads the janitors.
   *
   * @param holder of their Lease, empty for nobody
   */
  Stream<String> janitorLeader(String holder) {
    var idle =
        servers.janitors().stream()
            .anyMatch(janitor -> janitor.metrics().sum(JANITOR + "settings_valid").orElse(1) == 0);
    // Such a one does not stand for election, and is said already.
    if (idle || servers.pods() == 0 || isLed(holder)) {
      return Stream.empty();
    }
    return Stream.of(
        "no replica of the janitor leads: nothing is pruned, and nobody looks after the operator");
  }

  /** A Lease keeps the name of a holder that is gone; where all could be asked, they know. */
  private boolean isLed(String holder) {
    return servers.janitors().stream().anyMatch(each -> each.leads(JANITOR + "leader"))
        || (!holder.isEmpty() && !servers.areAllAsked());
  }

  private record Found(Asked server, Sample sample) {}

  private static Stream<Found> each(List<Asked> servers, String metric) {
    return servers.stream()
        .flatMap(
            server ->
                server.metrics().samples().stream()
                    .filter(sample -> sample.name().equals(metric))
                    .map(sample -> new Found(server, sample)));
  }
}
