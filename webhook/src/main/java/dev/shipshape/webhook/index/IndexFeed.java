package dev.shipshape.webhook.index;

import dev.shipshape.webhook.guard.Guard;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.HttpURLConnection;
import java.net.URL;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds the index of one guarded resource by list and watch, for as long as the program runs: a
 * first list that fails is tried again, as is a watch that breaks.
 */
public final class IndexFeed implements GuardIndex, AutoCloseable {
  /** Objects a page: bounds what one list answer takes in memory. */
  private static final long PAGE = 500;

  private static final Logger logger = LoggerFactory.getLogger(IndexFeed.class);

  private final Guard guard;
  private final URL server;
  private final KnownInvalidIndex index;
  private final SharedIndexInformer<GenericKubernetesResource> informer;
  private final StalenessLimits limits;
  private final Freshness freshness = new Freshness(System::nanoTime);
  private volatile String lastFailure = "no failure was seen";
  private volatile boolean notServed;

  private IndexFeed(Guard guard, KubernetesClient client, StalenessLimits limits) {
    this.guard = guard;
    this.limits = limits;
    this.server = client.getMasterUrl();
    this.index = new KnownInvalidIndex();
    this.informer =
        client
            .genericKubernetesResources(context(guard))
            .inAnyNamespace()
            .withLimit(PAGE)
            .runnableInformer(0)
            .removeIndexer("namespace")
            .itemStore(new ProjectingStore(guard, index))
            .exceptionHandler(this::failed);
  }

  /** Begins to list; returns at once. */
  public static IndexFeed start(Guard guard, KubernetesClient client, StalenessLimits limits) {
    var feed = new IndexFeed(guard, client, limits);
    // What comes of it is seen by the exception handler and by synced().
    var ignored = feed.informer.start();
    return feed;
  }

  @Override
  public Guard guard() {
    return guard;
  }

  @Override
  public KnownInvalidIndex index() {
    return index;
  }

  /** Whether everything that exists has been listed. */
  public boolean synced() {
    return informer.hasSynced();
  }

  /** To be called often: the library says whether it watches, but not since when it does not. */
  public void look() {
    if (informer.isWatching()) {
      freshness.follows();
      notServed = false;
    }
  }

  /** How long ago the index was last known to follow the API server. */
  public Duration staleness() {
    return freshness.staleness();
  }

  @Override
  public Optional<String> unusable() {
    if (!synced()) {
      return Optional.of("%s are not listed yet: %s".formatted(guard.resource(), lastFailure));
    }
    return staleBeyond(limits.refuse());
  }

  /**
   * Why the program should get no requests for this resource's sake. Not so where the API server
   * does not serve the resource: there are no objects of it then, nor requests.
   */
  public Optional<String> missing() {
    return notServed ? Optional.empty() : synced() ? staleBeyond(limits.unready()) : unusable();
  }

  private Optional<String> staleBeyond(Duration limit) {
    var staleness = staleness();
    return staleness.compareTo(limit) <= 0
        ? Optional.empty()
        : Optional.of(
            "%s have not been watched for %d s: %s"
                .formatted(guard.resource(), staleness.toSeconds(), lastFailure));
  }

  @Override
  public void close() {
    informer.close();
  }

  private boolean failed(boolean started, Throwable failure) {
    var cause =
        failure instanceof CompletionException e && e.getCause() != null ? e.getCause() : failure;
    notServed =
        cause instanceof KubernetesClientException e
            && e.getCode() == HttpURLConnection.HTTP_NOT_FOUND;
    lastFailure = explain(cause);
    logger.warn(
        "could not list and watch {} at {}, will try again: {}",
        guard.resource(),
        server,
        lastFailure);
    return true;
  }

  private String explain(Throwable cause) {
    if (cause instanceof KubernetesClientException e) {
      switch (e.getCode()) {
        case HttpURLConnection.HTTP_NOT_FOUND -> {
          return "the API server does not serve them; is their CustomResourceDefinition installed?";
        }
        case HttpURLConnection.HTTP_FORBIDDEN -> {
          return "not allowed; grant the verbs list and watch on them";
        }
        case HttpURLConnection.HTTP_UNAUTHORIZED -> {
          return "the API server does not accept these credentials";
        }
        default -> {
          // Below: the library's own words, which name the address and the cause.
        }
      }
    }
    return inOneLine(cause);
  }

  /** Every cause in turn, in one line: only all of them name both the server and the fault. */
  private static String inOneLine(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
        .map(Throwable::toString)
        .collect(Collectors.joining(": "))
        .replaceAll("\\s+", " ");
  }

  private static ResourceDefinitionContext context(Guard guard) {
    var resource = guard.resource();
    return new ResourceDefinitionContext.Builder()
        .withGroup(resource.group())
        .withVersion(resource.version())
        .withPlural(resource.plural())
        .withKind(resource.kind())
        .withNamespaced(resource.namespaced())
        .build();
  }
}
