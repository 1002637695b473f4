package dev.shipshape.webhook.store;

import dev.shipshape.service.PeriodicTask;
import dev.shipshape.webhook.config.StalenessLimits;
import dev.shipshape.webhook.config.StoreLimits;
import dev.shipshape.webhook.index.BoundedObject;
import dev.shipshape.webhook.index.Reflector;
import dev.shipshape.webhook.known.KnownInvalid;
import dev.shipshape.webhook.known.KnownInvalidConfiguration;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The KnownInvalidConfigurations of the cluster: fed into what is known, and written from it. If
 * their CustomResourceDefinition is not installed, nothing outlives the objects that say so.
 */
public final class KnownInvalidStore implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(KnownInvalidStore.class);
  private static final Duration WRITE_INTERVAL = Duration.ofMillis(500);

  private final Reflector reflector;
  private final PeriodicTask writing;

  /**
   * Begins to watch and to write; returns at once.
   *
   * @param serverTime the API server's clock, by which all times here are; may wait, and throws
   *     IllegalStateException if it does not know
   * @param learned gets each configuration that this replica was the first to write as invalid
   */
  public KnownInvalidStore(
      KnownInvalid known,
      KubernetesClient client,
      StoreLimits limits,
      StalenessLimits staleness,
      InstantSource serverTime,
      Consumer<KnownInvalidConfiguration> learned) {
    reflector =
        Reflector.start(
            KnownInvalidClient.RESOURCE,
            client,
            KnownInvalidClient.PATH,
            staleness,
            new Sink(known));
    var writer =
        new KnownInvalidWriter(
            known, reflector, new KnownInvalidClient(client), limits, serverTime, learned);
    writing = PeriodicTask.start("known invalid", WRITE_INTERVAL, writer::run);
  }

  /** The list and watch behind it. */
  public Reflector reflector() {
    return reflector;
  }

  @Override
  public void close() {
    writing.close();
    reflector.close();
  }

  /** What the watch brings. */
  private static final class Sink implements Reflector.Sink {
    private final KnownInvalid known;
    private boolean listed;

    Sink(KnownInvalid known) {
      this.known = known;
    }

    @Override
    public void put(BoundedObject object) throws IOException {
      var now = KnownInvalidResource.known(object.tree());
      var before = known.put(now);
      // What is there at the start is counted.
      if (listed && (before == null || before.verdict() != now.verdict())) {
        logger.info("known invalid: {} is {}: {}", now.key(), now.verdict(), text(now.reason()));
      }
    }

    @Override
    public void remove(String name, String uid) {
      known
          .stored()
          .filter(each -> each.key().objectName().equals(name))
          .filter(each -> uid.isEmpty() || each.isStoredAs(uid))
          .toList()
          .forEach(
              each -> {
                known.remove(each);
                logger.info(
                    "known invalid: {} is no longer stored: the resource was deleted", each.key());
              });
    }

    @Override
    public void listed() {
      listed = true;
    }

    @Override
    public Stream<String> keys() {
      return known.stored().map(each -> each.key().objectName());
    }
  }

  /** What others wrote must not make lines of its own in the log. */
  static String text(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }
}
