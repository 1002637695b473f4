package dev.shipshape.webhook.memory;

import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.memory.Remembered.Invalid;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a person does with the memory, by the API alone. All of it throws what the client throws
 * where the API server refuses or cannot be reached.
 */
public final class MemoryDesk {
  /** The ConfigMap that holds it. */
  public static final String CONFIG_MAP = MemoryStore.NAME;

  private static final Pattern PREFIX = Pattern.compile("(v1:)?[0-9a-f]{12,64}");
  private static final int FULL = "v1:".length() + 64;
  private static final int TRIES = 10;

  private final MemoryStore store;

  /**
   * Reads and writes nothing yet.
   *
   * @param namespace where the webhook runs
   */
  public MemoryDesk(KubernetesClient client, String namespace) {
    this.store = new MemoryStore(client, namespace);
  }

  /** What came of forgetting. */
  public sealed interface Forgetting {
    /** It is done, and nobody learns it again from a status of before. */
    record Done(List<Invalid> forgotten) implements Forgetting {}

    /** It was not remembered, and what says so from before counts no longer. */
    record Marked(Key key) implements Forgetting {}

    /** Nothing that is known invalid begins so. */
    record NoneFound() implements Forgetting {}

    /** More than one configuration begins so. */
    record Ambiguous(List<Invalid> candidates) implements Forgetting {}
  }

  /**
   * What is remembered as invalid, the newest first.
   *
   * @param unreadable how many entries cannot be read
   */
  public record Listing(List<Invalid> entries, int unreadable) {}

  /** Lists what is remembered. */
  public Listing list() {
    var book = store.read().book();
    return new Listing(invalid(book, ""), book.unreadable().size());
  }

  /**
   * Forgets a configuration that is remembered.
   *
   * @param hash in full, or its first 12 digits or more
   * @throws IllegalArgumentException where it is no hash
   */
  public Forgetting forget(String hash) {
    return forget(hash, null);
  }

  /**
   * Forgets a configuration, one that is not remembered too where it is told in full.
   *
   * @param hash in full, or its first 12 digits or more
   * @param guard the only one that is to forget it; null for each that remembers it
   * @throws IllegalArgumentException where it is no hash
   */
  public Forgetting forget(String hash, @Nullable String guard) {
    if (!PREFIX.matcher(hash).matches()) {
      throw new IllegalArgumentException(
          "not a hash: \"%s\"; give v1: and 64 hexadecimal digits, or the first 12 of them or more"
              .formatted(hash));
    }
    var prefix = hash.startsWith("v1:") ? hash : "v1:" + hash;
    var asking = store.asking();
    for (var tried = 0; tried < TRIES; tried++) {
      var found = store.read();
      var matching =
          invalid(found.book(), prefix).stream()
              .filter(entry -> guard == null || entry.key().guard().equals(guard))
              .toList();
      var keys = matching.stream().map(Invalid::key).toList();
      if (matching.isEmpty()) {
        if (guard == null || prefix.length() < FULL) {
          return new Forgetting.NoneFound();
        }
        keys = List.of(new Key(guard, ConfigHash.parse(prefix)));
      }
      if (keys.stream().map(Key::hash).distinct().count() > 1) {
        return new Forgetting.Ambiguous(matching);
      }
      if (store.write(found, pardoned(found.book(), keys, asking)) != null) {
        return matching.isEmpty()
            ? new Forgetting.Marked(keys.getFirst())
            : new Forgetting.Done(matching);
      }
    }
    throw new IllegalStateException(
        "ConfigMap %s/%s: others keep writing it; try again"
            .formatted(store.namespace(), MemoryStore.NAME));
  }

  private static Book pardoned(Book book, List<Key> keys, MemoryStore.Asking asking) {
    var lessons =
        keys.stream()
            .<Lesson>map(key -> new Lesson.Pardoned(key, asking.now(), asking.user()))
            .toList();
    return book.taught(lessons);
  }

  private static List<Invalid> invalid(Book book, String prefix) {
    return book.records().values().stream()
        .filter(Invalid.class::isInstance)
        .map(Invalid.class::cast)
        .filter(entry -> text(entry.key().hash()).startsWith(prefix))
        .sorted(Comparator.comparing(Invalid::at).reversed().thenComparing(e -> e.key().toString()))
        .toList();
  }

  private static String text(ConfigHash hash) {
    return hash.toString();
  }
}
