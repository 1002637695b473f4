package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * A place where two objects are not the same configuration.
 *
 * @param atLeft the place in the left object as it is written; where there is none, where it would
 *     be
 * @param atRight the same in the right object
 * @param left what the left one means there; null for nothing
 * @param right what the right one means there; null for nothing
 */
public record Difference(
    JsonPointer atLeft, JsonPointer atRight, @Nullable JsonNode left, @Nullable JsonNode right) {}
