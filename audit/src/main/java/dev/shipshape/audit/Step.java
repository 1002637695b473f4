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
 * @param renaming of what is in the request
 */
record Step(
    String actor, String what, AuditEvent event, @Nullable String request, Renaming renaming) {
  /**
   * Kubernetes uses these letters alone for what it makes up: no vowels, so no words. Others use
   * UUIDs or hexadecimal digits.
   */
  private static final Pattern MADE_UP =
      Pattern.compile(
          "-(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[bcdfghjklmnpqrstvwxz2456789]{5,10}"
              + "|(?=[a-f]*[0-9])[0-9a-f]{6,40})(?![a-z0-9])");

  private static final Renaming NONE = new Renaming(Map.of());

  private static final Pattern TIME = Pattern.compile("\"\\d{4}-\\d\\d-\\d\\dT.*");

  static Step of(LoggedRequest logged) {
    var event = logged.event();
    var object = event.object();
    var path = object.resource().isEmpty() ? event.uri() : object.path();
    var subresource = object.subresource().isEmpty() ? "" : "/" + object.subresource();
    return new Step(
        lasting(event.actor()),
        "%s %s%s".formatted(event.verb(), lasting(path), subresource),
        event,
        event.mutates() ? logged.request() : null,
        NONE);
  }

  /** The same with the names of another run. */
  Step renamed(Renaming names) {
    return new Step(names.of(actor), names.of(what), event, request, names);
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
                fields.put(renaming.of(lasting(path)), renaming.of(lasting(value)));
              }
            });
    return fields;
  }

  static String lasting(String text) {
    return MADE_UP.matcher(text).replaceAll("-*");
  }
}
