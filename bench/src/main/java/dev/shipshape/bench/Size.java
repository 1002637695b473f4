package dev.shipshape.bench;

/**
 * How much is measured.
 *
 * @param rounds of the comparison, of which the medians are taken
 * @param warmUp requests before the first round
 * @param closed requests a closed loop with small objects
 * @param open requests an open loop
 * @param large requests a closed loop with large objects
 * @param knownInvalid configurations that the webhook holds as known invalid
 * @param starts of the webhook, of which the median is taken
 * @param enforcements configurations that become invalid while somebody tries to write them
 * @param calls writes through the API server
 */
record Size(
    int rounds,
    int warmUp,
    int closed,
    int open,
    int large,
    int knownInvalid,
    int starts,
    int enforcements,
    int calls) {
  static final Size FULL = new Size(5, 20_000, 20_000, 6_000, 2_000, 1_000, 5, 200, 5_000);
  static final Size QUICK = new Size(3, 6_000, 3_000, 900, 200, 1_000, 3, 50, 1_000);
}
