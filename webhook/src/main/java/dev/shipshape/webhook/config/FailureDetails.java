package dev.shipshape.webhook.config;

/**
 * Who or what recorded a configuration as invalid, when, where and why. Empty where nobody says.
 *
 * @param recordedBy the field manager that wrote the object first
 * @param at the time, RFC 3339
 * @param node the node that it failed on
 * @param why the error
 */
public record FailureDetails(String recordedBy, String at, String node, String why) {
  /** Nothing is told. */
  public static final FailureDetails NONE = new FailureDetails("", "", "", "");
}
