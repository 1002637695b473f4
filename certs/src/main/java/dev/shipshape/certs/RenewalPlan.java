package dev.shipshape.certs;

import java.util.List;

/**
 * What is to become of the stored certificates.
 *
 * @param content all of them, as they are to be stored
 * @param reasons one line for each change; empty if they stay as they are
 */
public record RenewalPlan(StoredCertificates content, List<String> reasons) {
  public RenewalPlan {
    reasons = List.copyOf(reasons);
  }
}
