package dev.shipshape.janitor.restart;

import dev.shipshape.janitor.session.RestEndpoint;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What all operators have in common.
 *
 * @param checkEvery interval of the checks
 * @param prometheus whom to ask whether maintenance blocks restarts; null for nobody
 * @param maintenance the question, in PromQL; a result that is not empty blocks
 */
public record RestartSettings(
    Duration checkEvery, @Nullable RestEndpoint prometheus, String maintenance) {}
