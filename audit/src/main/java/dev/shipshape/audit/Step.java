package dev.shipshape.audit;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One request of an actor in a form that is equal in another run: without the parts of names that
 * the API server or a controller generates.
 *
 * @param what verb, object and subresource; of a write, also its parameters
 * @param event the first of several equal requests
 * @param request the body, if the request changes something
 * @param renaming for names in the body
 */
record Step(
    String actor, String what, AuditEvent event, @Nullable String request, Renaming renaming) {
  /**
   * Generated parts of names: Kubernetes uses these letters alone, without vowels; others use UUIDs
   * or hexadecimal digits.
   */
  private static final Pattern MADE_UP =
      Pattern.compile(
          "(?:(?<![a-z0-9])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<=-)(?:(?=[a-f]*[0-9])"
              + "[0-9a-f]{6,40}|[bcdfghjklmnpqrstvwxz2456789]{5,10}))(?![a-z0-9])");

  private static final Renaming NONE = new Renaming(Map.of());

  private static final Pattern TIME = Pattern.compile("\"\\d{4}-\\d\\d-\\d\\dT.*");

  static Step of(LoggedRequest logged) {
    var event = logged.event();
    var object = event.object();
    var path = object.resource().isEmpty() ? event.uri() : object.path();
    var subresource = object.subresource().isEmpty() ? "" : "/" + object.subresource();
    // Of a collection, the selector alone tells what is deleted.
    var uri = event.mutates() ? event.uri() : "";
    // A percent sign that begins no escape could not be decoded.
    var query = uri.replaceFirst("^[^?]*\\??", "").replaceAll("%(?!\\p{XDigit}{2})", "%25");
    var parameters =
        Stream.of(query.split("&", -1))
            .filter(each -> !each.matches("((timeout|fieldManager|resourceVersion|continue)=.*)?"))
            .map(each -> Text.printableLine(URLDecoder.decode(each, StandardCharsets.UTF_8)))
            .sorted()
            .reduce("", (all, each) -> all + (all.isEmpty() ? "?" : "&") + each);
    return new Step(
        lasting(event.actor()),
        "%s %s%s%s".formatted(event.verb(), lasting(path), subresource, lasting(parameters)),
        event,
        event.mutates() ? logged.request() : null,
        NONE);
  }

  /** The same step with the names of another run. */
  Step renamed(Renaming names) {
    return new Step(names.of(actor), names.of(what), event, request, names);
  }

  /** The request's fields, without values that differ in each run. */
  Map<String, String> fields() {
    var fields = new TreeMap<String, String>();
    ObjectFields.of(Json.tree(request))
        .forEach(
            (path, value) -> {
              if (!path.toLowerCase(Locale.ROOT).endsWith("uid")
                  && !path.endsWith("resourceVersion")
                  && !path.endsWith("pod-template-hash")
                  && !TIME.matcher(value).matches()) {
                // A tag of an image tells which version ran.
                var kept = path.endsWith("image") ? value : lasting(value);
                fields.put(renaming.of(lasting(path)), renaming.of(kept));
              }
            });
    return fields;
  }

  static String lasting(String text) {
    return MADE_UP.matcher(text).replaceAll("*");
  }
}
