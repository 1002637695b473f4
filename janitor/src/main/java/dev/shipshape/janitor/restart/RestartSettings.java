package dev.shipshape.janitor.restart;

import dev.shipshape.janitor.session.RestEndpoint;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings that all operators share: see {@code restart} in docs/reference/settings.md.
 *
 * @param maintenance in PromQL; a non-empty result blocks restarts
 */
public record RestartSettings(
    Duration checkEvery, @Nullable RestEndpoint prometheus, String maintenance) {}
