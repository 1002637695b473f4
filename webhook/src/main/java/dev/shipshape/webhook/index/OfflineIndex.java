package dev.shipshape.webhook.index;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.service.StartFailure;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.identity.JsonLimits;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** An index of what it is given, by the same code as the one that follows the API server. */
public final class OfflineIndex implements GuardIndex {
  private final Guard guard;
  private final KnownInvalidIndex index = new KnownInvalidIndex();
  private final ProjectingStore store;

  /**
   * @param revisions as for {@link IndexFeed#start}
   */
  public OfflineIndex(Guard guard, Revisions revisions, List<Listener> listeners) {
    this.guard = guard;
    revisions.listed(guard, () -> true);
    listeners.forEach(listener -> listener.begins(guard, index));
    store = new ProjectingStore(guard, index, revisions, listeners);
  }

  /**
   * Adds an object.
   *
   * @throws IOException if it is too large or too deep to be judged
   */
  public void put(JsonNode object) throws IOException {
    var parser = JsonLimits.FACTORY.createParser(JsonLimits.MAPPER.writeValueAsBytes(object));
    parser.nextToken();
    var wire = WireObject.take(parser);
    wire.tree();
    store.put(wire);
    if (index.find(wire.key()) == null) {
      throw new IOException("it cannot be judged");
    }
  }

  /**
   * Reads all objects of a resource once; none if the API server does not serve it.
   *
   * @param path of the resource, such as {@code /api/v1/nodes}
   * @throws StartFailure if the API server refuses or does not answer, or an object is too large to
   *     be judged
   */
  public static void list(KubernetesClient client, String path, Each each) {
    try {
      new Reflector(client, path, Reflector.LONGEST_WATCH, new Objects(each)).list();
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw new StartFailure("could not list %s: %s".formatted(path, e.getMessage()), e);
      }
    } catch (IOException e) {
      throw new StartFailure("could not list %s: %s".formatted(path, e.getMessage()), e);
    }
  }

  /** What is done with each object of a list. */
  @FunctionalInterface
  public interface Each {
    void take(JsonNode object) throws IOException;
  }

  private record Objects(Each each) implements Reflector.Sink {
    @Override
    public void put(WireObject object) throws IOException {
      each.take(object.tree());
    }

    @Override
    public void remove(String key, String uid) {}

    @Override
    public Stream<String> keys() {
      return Stream.empty();
    }
  }

  @Override
  public Guard guard() {
    return guard;
  }

  @Override
  public KnownInvalidIndex index() {
    return index;
  }

  @Override
  public Optional<String> unavailableReason() {
    return Optional.empty();
  }

  @Override
  public Duration staleness() {
    return Duration.ZERO;
  }
}
