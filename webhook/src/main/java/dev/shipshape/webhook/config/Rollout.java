package dev.shipshape.webhook.config;

/**
 * A rollout whose writes may be rollbacks.
 *
 * @param process the resource whose objects report a rollout
 * @param goingOn holds for such an object while the rollout is in progress
 * @param serviceAccount the full user name that rolls out; empty if not configured, which disables
 *     the exemption
 */
public record Rollout(GuardedResource process, Condition goingOn, String serviceAccount) {}
