package dev.shipshape.webhook.certificate;

import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rings when the Secret or a webhook configuration changes. What is there is read anew each time,
 * so that a watch that was lost costs some seconds and nothing else.
 */
final class Watches implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(Watches.class);

  private final Runnable bell;
  private final List<SharedIndexInformer<?>> informers = new ArrayList<>();

  Watches(CertificateSecret secret, Registrations registrations, Runnable bell) {
    this.bell = bell;
    add(secret.toString(), secret.resource());
    for (var configuration : WebhookConfiguration.values()) {
      add(configuration.kind(), registrations.resource(configuration));
    }
  }

  void start() {
    for (var informer : informers) {
      // What comes of it is seen by the exception handler.
      var ignored = informer.start();
    }
  }

  @Override
  public void close() {
    informers.forEach(SharedIndexInformer::close);
  }

  private <T> void add(String what, Informable<T> resource) {
    informers.add(
        resource
            .runnableInformer(0)
            .exceptionHandler(
                (started, failure) -> {
                  logger.debug("could not watch {}, will try again: {}", what, failure.toString());
                  return true;
                })
            .addEventHandler(new Bell<T>(bell)));
  }

  private record Bell<T>(Runnable bell) implements ResourceEventHandler<T> {
    @Override
    public void onAdd(T object) {
      bell.run();
    }

    @Override
    public void onUpdate(T before, T after) {
      bell.run();
    }

    @Override
    public void onDelete(T object, boolean unknown) {
      bell.run();
    }
  }
}
