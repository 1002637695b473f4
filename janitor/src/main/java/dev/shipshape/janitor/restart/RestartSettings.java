package dev.shipshape.janitor.restart;

import dev.shipshape.janitor.session.RestEndpoint;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What all operators have in common: see {@code restart} in docs/reference/settings.md.
 *
 * @param prometheus null if it is not asked
 * @param maintenance in PromQL; a result that is not empty blocks
 */
public record RestartSettings(
    Duration checkEvery, @Nullable RestEndpoint prometheus, String maintenance) {}
