package dev.shipshape.bench;

import com.sun.management.ThreadMXBean;
import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.Decoded;
import dev.shipshape.webhook.admission.ReviewDecoder;
import dev.shipshape.webhook.config.GuardReader;
import dev.shipshape.webhook.identity.Identity;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What one decision costs, without a server around it: processor time of one thread and what it
 * allocates, for decoding a review and for hashing its object. Argument: the checkout. To profile,
 * start it with a recording of the JVM's flight recorder.
 */
public final class DecisionCost {
  private static final int ROUNDS = 60;
  private static final int CALLS = 1_000;
  private static final double NANOSECONDS = 1e3;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private DecisionCost() {}

  /** Measures both sizes of review, and prints a table. */
  public static void main(String[] arguments) throws IOException {
    var checkout = new Checkout(Path.of(arguments[0]));
    Files.createDirectories(checkout.target(""));
    var identity = GuardReader.preset("nodeconfig").getFirst().identity();
    System.out.printf("%-28s %10s %12s%n", "one call, best of " + ROUNDS, "us", "bytes");
    measure("24 KB", Files.readAllBytes(Reviews.small(checkout)), identity, CALLS);
    measure("236 KB", Files.readAllBytes(Reviews.large(checkout)), identity, CALLS / 10);
  }

  private static void measure(String size, byte[] body, Identity identity, int calls) {
    row(size + ", decoding", calls, () -> decoded(body));
    var request = decoded(body);
    row(size + ", hashing the object", calls, () -> request.written().hash(identity));
  }

  private static AdmissionRequest decoded(byte[] body) {
    return switch (ReviewDecoder.decode(body)) {
      case Decoded.Request(var request) -> request;
      case Decoded.Malformed(_, var problem) -> throw new IllegalStateException(problem);
    };
  }

  /** Gives something, so that the compiler cannot leave the work out. */
  @FunctionalInterface
  private interface Work {
    Object done();
  }

  private static void row(String what, int calls, Work work) {
    var best = Double.MAX_VALUE;
    var allocated = 0L;
    for (var round = 0; round < ROUNDS; round++) {
      var bytes = THREADS.getCurrentThreadAllocatedBytes();
      var began = THREADS.getCurrentThreadCpuTime();
      repeat(calls, work);
      best = Math.min(best, (double) (THREADS.getCurrentThreadCpuTime() - began) / calls);
      allocated = (THREADS.getCurrentThreadAllocatedBytes() - bytes) / calls;
    }
    System.out.printf("%-28s %10.1f %12d%n", what, best / NANOSECONDS, allocated);
  }

  private static void repeat(int calls, Work work) {
    var hashes = 0;
    for (var call = 0; call < calls; call++) {
      hashes += work.done().hashCode();
    }
    if (hashes == 42) {
      System.err.println("bench: a rare sum");
    }
  }
}
