package dev.shipshape.webhook.validation;

import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Where Events go. */
@FunctionalInterface
public interface EventRecorder {
  /**
   * Writes one, and waits until it is written.
   *
   * @throws io.fabric8.kubernetes.client.KubernetesClientException where it could not be written
   */
  void write(GuardEvent incident);

  /**
   * Writes them to the API server.
   *
   * @param instance what names this process, such as its pod
   */
  static EventRecorder to(KubernetesClient client, String instance, InstantSource clock) {
    return incident -> {
      var event = event(incident, instance, clock.instant());
      var ignored =
          client
              .events()
              .v1()
              .events()
              .inNamespace(event.getMetadata().getNamespace())
              .resource(event)
              .create();
    };
  }

  private static Event event(GuardEvent incident, String instance, Instant now) {
    // Objects without a namespace have their Events in this one.
    var namespace = incident.namespace().isEmpty() ? "default" : incident.namespace();
    var resource = incident.resource();
    var version = resource.version();
    return new EventBuilder()
        .withNewMetadata()
        .withName(eventName(incident.name(), now))
        .withNamespace(namespace)
        .endMetadata()
        .withEventTime(new MicroTime(MICROSECONDS.format(now)))
        .withType("Warning")
        .withReason("KnownInvalidConfiguration")
        .withAction(incident.action())
        .withReportingController("shipshape.dev/webhook")
        .withReportingInstance(cut(instance, 128))
        .withNewRegarding()
        .withApiVersion(resource.group().isEmpty() ? version : resource.group() + "/" + version)
        .withKind(resource.kind())
        .withName(incident.name())
        .withNamespace(incident.namespace().isEmpty() ? null : incident.namespace())
        .withUid(incident.uid().isEmpty() ? null : incident.uid())
        .endRegarding()
        .withNote(cut(incident.note(), LONGEST_NOTE))
        .build();
  }

  /** A name has 253 characters at most, and the time takes 17 of them. */
  int LONGEST_NAME = 230;

  /** The API server takes so many bytes. */
  int LONGEST_NOTE = 1024;

  String ELLIPSIS = "...";

  /** As the API server reads them: six digits, never less. */
  DateTimeFormatter MICROSECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  /** As client-go names Events: the object's name, which ends in no dot, and the time. */
  private static String eventName(String object, Instant now) {
    var nanos =
        Math.addExact(Math.multiplyExact(now.getEpochSecond(), 1_000_000_000L), now.getNano());
    return object.substring(0, Math.min(object.length(), LONGEST_NAME))
        + "."
        + Long.toHexString(nanos);
  }

  /** As much of it as these bytes hold, in whole characters. */
  private static String cut(String text, int bytes) {
    if (text.getBytes(StandardCharsets.UTF_8).length <= bytes) {
      return text;
    }
    var left = CharBuffer.wrap(text);
    var room = ByteBuffer.allocate(bytes - ELLIPSIS.length());
    var ignored =
        StandardCharsets.UTF_8
            .newEncoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .encode(left, room, true);
    return text.substring(0, left.position()) + ELLIPSIS;
  }
}
