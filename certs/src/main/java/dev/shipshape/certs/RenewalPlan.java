package dev.shipshape.certs;

import java.util.List;

/** The result of {@link Renewal#plan}; one reason for each change, none if nothing changes. */
public record RenewalPlan(StoredCertificates content, List<String> reasons) {
  public RenewalPlan {
    reasons = List.copyOf(reasons);
  }
}
