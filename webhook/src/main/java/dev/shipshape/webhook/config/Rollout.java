package dev.shipshape.webhook.config;

/**
 * The rollout that may go back on its own.
 *
 * @param process the resource whose objects say that a rollout is going on
 * @param goingOn when one of them does
 * @param serviceAccount who rolls out, in full; empty where the settings name nobody, so that
 *     nothing follows
 */
public record Rollout(GuardedResource process, Condition goingOn, String serviceAccount) {}
