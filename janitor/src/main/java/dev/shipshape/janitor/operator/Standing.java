package dev.shipshape.janitor.operator;

import dev.shipshape.janitor.operator.RestartGovernor.Decision;
import org.jspecify.annotations.Nullable;

/**
 * The operator's Deployment at one look, and whether it may be restarted.
 *
 * @param rollout null where it could not be read; the decision then says why
 */
record Standing(@Nullable Rollout rollout, Decision decision) {}
