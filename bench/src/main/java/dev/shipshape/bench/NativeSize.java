package dev.shipshape.bench;

import java.util.List;

/**
 * How much is measured beside the ValidatingAdmissionPolicy.
 *
 * @param knownInvalid how many configurations are known invalid
 * @param networks of each configuration
 * @param perSecond writes
 * @param warmUp seconds of writes before each measurement
 * @param seconds of writes in each measurement
 * @param reviews that the webhook answers before its measurement
 * @param rounds of which the medians are taken
 */
record NativeSize(
    List<Integer> knownInvalid,
    int networks,
    int perSecond,
    int warmUp,
    int seconds,
    int reviews,
    int rounds) {
  static final NativeSize FULL = new NativeSize(List.of(10, 100, 1_000), 12, 20, 3, 10, 10_000, 3);
  static final NativeSize QUICK = new NativeSize(List.of(10, 100, 1_000), 12, 20, 1, 5, 1_000, 1);
}
