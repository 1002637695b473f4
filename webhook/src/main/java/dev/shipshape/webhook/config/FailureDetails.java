package dev.shipshape.webhook.config;

/**
 * The failure that an object reports. Unknown parts are empty.
 *
 * @param writer the field manager that wrote the deciding field; as read from the object, and of a
 *     record, that of the first entry of the managed fields
 * @param time RFC 3339
 */
public record FailureDetails(String writer, String time, String node, String reason) {
  public static final FailureDetails NONE = new FailureDetails("", "", "", "");
}
