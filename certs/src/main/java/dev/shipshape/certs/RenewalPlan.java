package dev.shipshape.certs;

import java.util.List;

/**
 * The result of {@link Renewal#plan}.
 *
 * @param content the certificates to store
 * @param reasons one line for each change; empty if nothing changes
 */
public record RenewalPlan(StoredCertificates content, List<String> reasons) {
  public RenewalPlan {
    reasons = List.copyOf(reasons);
  }
}
