package dev.shipshape.webhook.review;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a complete answer says. */
public sealed interface Verdict {
  /** Warnings that the client shows its user. */
  List<String> warnings();

  /** Written into the API server's audit log. */
  Map<String, String> auditAnnotations();

  /**
   * The write goes on.
   *
   * @param patch RFC 6902 operations as JSON; null for none
   */
  record Allowed(
      List<String> warnings, Map<String, String> auditAnnotations, @Nullable String patch)
      implements Verdict {
    public Allowed {
      warnings = List.copyOf(warnings);
      auditAnnotations = Map.copyOf(auditAnnotations);
    }
  }

  /**
   * The write is refused.
   *
   * @param code the HTTP status that the client gets
   * @param reason the API machinery's word for it, such as {@code Forbidden}
   * @param message what the client reads
   */
  record Denied(
      int code,
      String reason,
      String message,
      List<String> warnings,
      Map<String, String> auditAnnotations)
      implements Verdict {
    public Denied {
      warnings = List.copyOf(warnings);
      auditAnnotations = Map.copyOf(auditAnnotations);
    }
  }
}
