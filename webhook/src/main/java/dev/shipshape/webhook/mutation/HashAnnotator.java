package dev.shipshape.webhook.mutation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.Decision;
import dev.shipshape.webhook.admission.Reason;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.StampedResource;
import dev.shipshape.webhook.identity.CanonicalJson;
import dev.shipshape.webhook.identity.ConfigHash;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Adds hash annotations to objects. Hashes are computed on every write, so a forged hash is
 * replaced by the write that contains it. Hash annotations that do not apply to the object are
 * removed.
 */
public final class HashAnnotator {
  public static final String NON_STATUS_HASH = "shipshape.dev/non-status-hash";
  public static final String STATUS_HASH = "shipshape.dev/status-hash";
  static final Set<String> HASHES = Set.of(ConfigHash.ANNOTATION, NON_STATUS_HASH, STATUS_HASH);

  /** The limit of the API server for all annotations of an object, names and values. */
  private static final int MAX_ANNOTATION_BYTES = 256 * 1024;

  private static final String TOO_MANY =
      "no hash annotations: with them, all annotations would be larger than %d bytes"
          .formatted(MAX_ANNOTATION_BYTES);

  private final Map<String, Guard> guards;

  /** By resource: whether the status is hashed too. */
  private final Map<String, Boolean> listed;

  /**
   * @param listed resources that are stamped without a guard; of two versions of one, either may
   *     ask for the hash of the status
   */
  public HashAnnotator(Map<String, Guard> guards, Collection<StampedResource> listed) {
    this.guards = guards;
    this.listed =
        listed.stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    StampedResource::resource, StampedResource::status, Boolean::logicalOr));
  }

  public Decision decide(AdmissionRequest request) {
    var resource = request.resource().toString();
    var guard = guards.get(resource);
    var isStamped =
        guard == null
            ? listed.containsKey(resource)
            : guard.resource().version().equals(request.resource().version());
    if (!isStamped || !request.writesAnObject() || !request.object().isObject()) {
      return Decision.of(Reason.NOTHING_TO_ANNOTATE);
    }
    var stamps = stamps(guard, request);
    if (!fits(request.object().at("/metadata/annotations"), stamps)) {
      var removal = AnnotationPatch.of(request.object(), new TreeMap<>(), HASHES);
      return new Decision(Reason.UNSTAMPED, TOO_MANY, removal, Map.of());
    }
    var patch = AnnotationPatch.of(request.object(), stamps, HASHES);
    var reason = patch.isEmpty() ? Reason.NOTHING_TO_ANNOTATE : Reason.ANNOTATED;
    return new Decision(reason, "", patch, Map.of());
  }

  /** Checks the annotation limit of the API server. */
  private static boolean fits(JsonNode annotations, Map<String, String> stamps) {
    var others =
        annotations.propertyStream().filter(annotation -> !HASHES.contains(annotation.getKey()));
    var size = others.mapToLong(each -> size(each.getKey(), each.getValue().asText())).sum();
    for (var stamp : stamps.entrySet()) {
      size += size(stamp.getKey(), stamp.getValue());
    }
    return size <= MAX_ANNOTATION_BYTES;
  }

  private static int size(String name, String value) {
    return name.getBytes(StandardCharsets.UTF_8).length
        + value.getBytes(StandardCharsets.UTF_8).length;
  }

  private SortedMap<String, String> stamps(@Nullable Guard guard, AdmissionRequest request) {
    var object = request.object();
    var identity = guard == null ? null : guard.identity();
    var stamps = new TreeMap<String, String>();
    stamps.put(NON_STATUS_HASH, NonStatusHash.of(object, identity).toString());
    if (identity != null) {
      stamps.put(ConfigHash.ANNOTATION, identity.hash(object).toString());
    }
    if (listed.getOrDefault(request.resource().toString(), false) && object.hasNonNull("status")) {
      stamps.put(STATUS_HASH, ConfigHash.of(CanonicalJson.write(object.path("status"))).toString());
    }
    return stamps;
  }
}
