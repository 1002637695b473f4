package dev.shipshape.audit;

import java.util.List;

/** A field to find in an event, and in the objects that are its bodies, by its JSON path. */
enum Field {
  LEVEL("level"),
  AUDIT_ID("auditID"),
  STAGE("stage"),
  URI("requestURI"),
  VERB("verb"),
  USER("user username"),
  IMPERSONATED("impersonatedUser username"),
  AGENT("userAgent"),
  SOURCE_IPS("sourceIPs"),
  GROUP("objectRef apiGroup"),
  RESOURCE("objectRef resource"),
  SUBRESOURCE("objectRef subresource"),
  NAMESPACE("objectRef namespace"),
  NAME("objectRef name"),
  UID("objectRef uid"),
  CODE("responseStatus code"),
  MESSAGE("responseStatus message"),
  REQUEST("requestObject"),
  RESPONSE("responseObject"),
  RECEIVED("requestReceivedTimestamp"),
  TIMESTAMP("timestamp"),
  STAGED("stageTimestamp"),
  TRUNCATED("annotations audit.k8s.io/truncated"),
  /** Added by {@link EventFinder} to an event that is too long for the memory: its size. */
  SHORTENED("shipshape.dev/shortened"),
  BODY_NAME("metadata name"),
  BODY_UID("metadata uid"),
  BODY_VERSION("metadata resourceVersion"),
  BODY_DELETED("metadata deletionTimestamp"),
  BODY_GRACE("metadata deletionGracePeriodSeconds"),
  BODY_FINALIZERS("metadata finalizers"),
  SPEC_FINALIZERS("spec finalizers"),
  /** A field of DeleteOptions. */
  DRY_RUN("dryRun"),
  /** In an Eviction. */
  EVICTION_DRY_RUN("deleteOptions dryRun"),
  /** The uid in the Status that answers a deletion. */
  STATUS_UID("details uid");

  private final String path;

  Field(String path) {
    this.path = path;
  }

  @SuppressWarnings("EnumOrdinal") // A map would cost time for each field of each line.
  int index() {
    return ordinal();
  }

  /** The keys from the root to the field. */
  List<String> path() {
    return List.of(path.split(" ", -1));
  }
}
