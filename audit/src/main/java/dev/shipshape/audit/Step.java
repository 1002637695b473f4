package dev.shipshape.audit;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One thing that an actor did in a run, in words that are the same in another run: without the
 * parts of names that the API server or a controller makes up.
 *
 * @param what verb, object and subresource
 * @param event the first of several requests that are alike
 * @param request the body of a request that asks for a change
 */
record Step(String actor, String what, AuditEvent event, @Nullable String request) {
  /** Kubernetes uses these letters alone for what it makes up: no vowels, so no words. */
  private static final Pattern MADE_UP =
      Pattern.compile("-[bcdfghjklmnpqrstvwxz2456789]{5,10}(?![a-z0-9])");

  private static final Pattern TIME = Pattern.compile("\"\\d{4}-\\d\\d-\\d\\dT.*");

  static Step of(AuditEvent event) {
    var object = event.object();
    var path = object.resource().isEmpty() ? event.uri() : object.path();
    var subresource = object.subresource().isEmpty() ? "" : "/" + object.subresource();
    return new Step(
        lasting(event.actor()),
        "%s %s%s".formatted(event.verb(), lasting(path), subresource),
        event.withoutBodies(),
        event.mutates() ? event.request() : null);
  }

  /** The request's fields that another run could have, too. */
  Map<String, String> fields() {
    var fields = new TreeMap<String, String>();
    Fields.of(Json.tree(request))
        .forEach(
            (path, value) -> {
              if (!path.toLowerCase(java.util.Locale.ROOT).endsWith("uid")
                  && !path.endsWith("resourceVersion")
                  && !path.endsWith("pod-template-hash")
                  && !TIME.matcher(value).matches()) {
                fields.put(lasting(path), lasting(value));
              }
            });
    return fields;
  }

  static String lasting(String text) {
    return MADE_UP.matcher(text).replaceAll("-*");
  }
}
