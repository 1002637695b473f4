package dev.shipshape.webhook.config;

/**
 * The failure that an object reports. Unknown parts are empty.
 *
 * @param recordedBy the field manager that first wrote the object
 * @param at RFC 3339
 * @param node the node on which the configuration failed
 * @param why the error message
 */
public record FailureDetails(String recordedBy, String at, String node, String why) {
  public static final FailureDetails NONE = new FailureDetails("", "", "", "");
}
