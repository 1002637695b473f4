package dev.shipshape.webhook.admission;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is to become of one write. */
public sealed interface AdmissionResponse {
  /** Why. */
  Reason reason();

  /**
   * The write goes on.
   *
   * @param warning for whoever writes; null for none
   * @param auditAnnotations for the API server's audit log
   */
  record Allowed(Reason reason, @Nullable String warning, Map<String, String> auditAnnotations)
      implements AdmissionResponse {
    public Allowed {
      auditAnnotations = Map.copyOf(auditAnnotations);
    }
  }

  /**
   * The write goes on with changes.
   *
   * @param patch RFC 6902 operations in JSON
   */
  record Patched(String patch) implements AdmissionResponse {
    @Override
    public Reason reason() {
      return Reason.ANNOTATED;
    }
  }

  /**
   * The write does not go on, or not yet.
   *
   * @param auditAnnotations for the API server's audit log; also if somebody lets it through
   */
  record Rejected(Reason reason, String message, Map<String, String> auditAnnotations)
      implements AdmissionResponse {
    public Rejected {
      auditAnnotations = Map.copyOf(auditAnnotations);
    }
  }

  /** The write goes on. */
  static AdmissionResponse allow(Reason reason) {
    return new Allowed(reason, null, Map.of());
  }

  /** The write goes on, and the audit log is told why. */
  static AdmissionResponse allow(Reason reason, Map<String, String> auditAnnotations) {
    return new Allowed(reason, null, auditAnnotations);
  }

  /** The write does not go on, or not yet. */
  static Rejected reject(Reason reason, String message) {
    return new Rejected(reason, message, Map.of());
  }
}
