package dev.shipshape.webhook.certificate;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Writes through the API server, one after the other, each of which both webhooks must allow. */
final class CallLoad implements AutoCloseable {
  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger count = new AtomicInteger();
  private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();

  static CallLoad start(TestNamespace namespace, int threads) {
    var load = new CallLoad();
    for (var i = 0; i < threads; i++) {
      load.workers.execute(() -> load.run(namespace));
    }
    return load;
  }

  /** One dry-run write; empty where it passed, else what the API server said. */
  static Optional<String> call(TestNamespace namespace) {
    var object =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace(namespace.name)
            .withGenerateName("load-")
            .endMetadata()
            .build();
    try {
      namespace.administrator.resource(object).dryRun().create();
      return Optional.empty();
    } catch (KubernetesClientException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private void run(TestNamespace namespace) {
    while (!workers.isShutdown()) {
      call(namespace).ifPresent(failures::add);
      count.incrementAndGet();
    }
  }

  int count() {
    return count.get();
  }

  List<String> failures() {
    return List.copyOf(failures);
  }

  @Override
  public void close() {
    workers.close();
  }
}
