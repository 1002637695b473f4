package dev.shipshape.webhook.memory;

import dev.shipshape.webhook.index.Following;
import dev.shipshape.webhook.index.ListWatch;
import dev.shipshape.webhook.index.StalenessLimits;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The memory at work: watched by every replica, written by the one that leads. */
public final class MemoryService implements AutoCloseable {
  private final MemoryLimits limits;
  private final BooleanSupplier leads;
  private final AgreedTime clock;
  private final MemoryJournal journal;
  private final Memory memory;
  private @Nullable MemoryKeeper keeper;
  private @Nullable Following following;

  /**
   * Remembers nothing until {@link #start}.
   *
   * @param leads whether this replica is the one that writes
   * @param clock the API server's, 1970 while it is not known
   */
  public MemoryService(
      MemoryLimits limits, BooleanSupplier leads, InstantSource clock, MeterRegistry registry) {
    this.limits = limits;
    this.leads = leads;
    this.clock = new AgreedTime(clock, InstantSource.system());
    this.journal = new MemoryJournal(leads, this.clock, limits.keep(), registry);
    this.memory = new Memory(limits, this.clock, System::nanoTime, journal);
    Gauge.builder("shipshape.webhook.memory.entries", memory, Memory::size)
        .description("Configurations that are remembered as invalid.")
        .register(registry);
  }

  /** What is remembered. */
  public Memory memory() {
    return memory;
  }

  /**
   * Begins to watch, and to write where this replica leads; returns at once.
   *
   * @param namespace where the ConfigMap is
   * @return the watch
   */
  public Following start(KubernetesClient client, String namespace, StalenessLimits staleness) {
    // So that the time is known as early as may be.
    var ignored = clock.instant();
    var store = new MemoryStore(client, namespace);
    var keeping = new MemoryKeeper(memory, store, limits, leads, clock, journal);
    var items = new BasicItemStore<ConfigMap>(Cache::metaNamespaceKeyFunc);
    var watch =
        Following.start(
            "ConfigMap %s/%s".formatted(namespace, MemoryStore.NAME),
            client,
            store.path(),
            staleness,
            () ->
                ListWatch.by(
                    store
                        .configMap()
                        .runnableInformer(0)
                        .itemStore(items)
                        .addEventHandler(reading(keeping, items))));
    keeping.start();
    keeper = keeping;
    following = watch;
    return watch;
  }

  /** Why nothing can be decided by what is remembered; empty where it can. */
  public Optional<String> unusable() {
    var watch = following;
    return watch == null ? Optional.empty() : watch.unusable().or(this::unread);
  }

  /** Why the program should get no requests for its sake. */
  public Optional<String> missing() {
    var watch = following;
    return watch == null ? Optional.empty() : watch.missing().or(this::unread);
  }

  /** The library has listed a moment before it says what. */
  private Optional<String> unread() {
    return memory.hasRead()
        ? Optional.empty()
        : Optional.of("ConfigMap %s is not read yet".formatted(MemoryStore.NAME));
  }

  private ResourceEventHandler<ConfigMap> reading(
      MemoryKeeper keeping, BasicItemStore<ConfigMap> items) {
    return new ResourceEventHandler<>() {
      @Override
      public void onList(String version, boolean nothingWasNorIsThere) {
        var found = MemoryStore.Found.of(items.values().findAny().orElse(null));
        memory.readAnew(found.book(), found.version());
        keeping.read(found.book());
      }

      @Override
      public void onAdd(ConfigMap added) {
        read(MemoryStore.Found.of(added).book(), added);
      }

      @Override
      public void onUpdate(ConfigMap before, ConfigMap after) {
        read(MemoryStore.Found.of(after).book(), after);
      }

      @Override
      public void onDelete(ConfigMap deleted, boolean stateUnknown) {
        read(Book.EMPTY, deleted);
      }

      private void read(Book book, ConfigMap stored) {
        memory.read(book, MemoryStore.versionOf(stored));
        keeping.read(book);
      }
    };
  }

  @Override
  public void close() {
    if (keeper != null) {
      keeper.close();
    }
    if (following != null) {
      following.close();
    }
  }
}
