package dev.shipshape.plugin.release;

import dev.shipshape.webhook.certificate.CertificateSettings;
import dev.shipshape.webhook.certificate.CertificateSettings.SelfManaged;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When certificates are to be renewed.
 *
 * @param settings null where they could not be read
 */
record Renewal(@Nullable CertificateSettings settings) {
  private static final Duration SOON = Duration.ofDays(30);

  /** Cert-manager, or whoever else renews them, says nowhere here when. */
  private static final Duration SOON_BY_OTHERS = Duration.ofDays(3);

  private static final int SHARE_BY_OTHERS = 10;

  /** How little of a certificate's life is left where renewing it has failed for long. */
  Duration overdue(String certificate, Duration life) {
    if (!(settings instanceof SelfManaged own)) {
      return least(SOON_BY_OTHERS, life.dividedBy(SHARE_BY_OTHERS));
    }
    var set = certificate.equals("authority") ? own.authority() : own.leaf();
    // One that was made for another life is renewed at the same share of its own.
    var left = (double) set.whole().minus(set.renewal()).toSeconds() / set.whole().toSeconds();
    return least(SOON, Duration.ofSeconds((long) (life.toSeconds() * left / 2)));
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
