package dev.shipshape.webhook.validation;

import dev.shipshape.webhook.admission.AdmissionHandler;
import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.AdmissionResponse;
import dev.shipshape.webhook.admission.AdmissionResponse.Rejected;
import dev.shipshape.webhook.admission.Reason;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.Guards;
import dev.shipshape.webhook.identity.ConfigHash;

/**
 * Lets through what would be refused, where the writer names the configuration's hash. Only for
 * requests of which the API server has found that their writer may: it alone sends them to the
 * entry that this decides for.
 */
public final class OverridePolicy implements AdmissionHandler {
  static final String ANNOTATION = "shipshape.dev/allow-known-invalid";

  private final AdmissionHandler usual;
  private final Guards guards;

  public OverridePolicy(AdmissionHandler usual, Guards guards) {
    this.usual = usual;
    this.guards = guards;
  }

  @Override
  public AdmissionResponse handle(AdmissionRequest request) {
    var response = usual.handle(request);
    return response instanceof Rejected(var reason, _, var annotations)
            && (reason.isKnownInvalid() || reason == Reason.NOT_READY)
            && isNamed(request)
        ? AuditAnnotations.otherwise(Reason.OVERRIDDEN, annotations)
        : response;
  }

  /**
   * How a refused configuration is written all the same. Whoever has named it already lacks the
   * right: the API server would have sent the request elsewhere.
   *
   * @param role the ClusterRole that has the right
   */
  static String advice(Guard guard, AdmissionRequest request, ConfigHash hash, String role) {
    var resource = guard.resource().plural();
    if (!named(request).equals(hash.toString())) {
      return "Override: annotate it with %s=%s".formatted(ANNOTATION, hash);
    }
    var user = request.user();
    return "%s is there, but %s lacks the verb override on %s.shipshape.dev; to grant it: kubectl create clusterrolebinding %s --clusterrole=%s --user=%s"
        .formatted(
            ANNOTATION,
            user,
            resource,
            quoted("override-" + user.replaceAll("[/%]", "-")),
            role,
            quoted(user));
  }

  /** As a shell takes it for one word. */
  private static String quoted(String text) {
    return text.matches("[-\\w.:@]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  /** The hash must be this configuration's: a left-over annotation allows no other. */
  private boolean isNamed(AdmissionRequest request) {
    var guard = guards.of(request.resource().toString());
    return guard != null
        && named(request).equals(request.written().hash(guard.identity()).toString());
  }

  private static String named(AdmissionRequest request) {
    var annotations = request.written().head().path("metadata").path("annotations");
    return annotations.path(ANNOTATION).asText();
  }
}
