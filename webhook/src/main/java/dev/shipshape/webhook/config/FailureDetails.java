package dev.shipshape.webhook.config;

/**
 * The failure that an object reports. Unknown parts are empty.
 *
 * @param recordedBy the manager of the first entry of the managed fields, often who made the object
 * @param time RFC 3339
 */
public record FailureDetails(String recordedBy, String time, String node, String reason) {
  public static final FailureDetails NONE = new FailureDetails("", "", "", "");
}
