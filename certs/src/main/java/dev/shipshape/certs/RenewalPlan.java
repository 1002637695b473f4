package dev.shipshape.certs;

import java.util.List;

/** What is to become of the stored certificates. */
public sealed interface RenewalPlan {

  /** They stay as they are. */
  record Keep() implements RenewalPlan {}

  /**
   * They are replaced.
   *
   * @param content the new ones, all of them
   * @param reasons one line for each change; at least one
   */
  record Write(StoredCertificates content, List<String> reasons) implements RenewalPlan {
    public Write {
      reasons = List.copyOf(reasons);
    }
  }
}
