package dev.shipshape.janitor.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A list in pages, of which one at a time is in memory. */
public final class Pages {
  private static final long SIZE = 100;

  private Pages() {}

  /**
   * The list's objects. The first page is read at once, the others as the stream comes to them.
   *
   * @param list how one page is read
   * @throws KubernetesClientException where a page cannot be read, from here or from the stream;
   *     what was seen of the list is void then. With code 410 it grew too old and is worth
   *     beginning again
   */
  public static <T extends HasMetadata> Stream<T> of(
      Function<ListOptions, ? extends KubernetesResourceList<T>> list) {
    return Stream.<@Nullable KubernetesResourceList<T>>iterate(
            page(list, ""), Objects::nonNull, page -> after(list, Objects.requireNonNull(page)))
        .flatMap(page -> Objects.requireNonNull(page).getItems().stream());
  }

  private static <T extends HasMetadata> @Nullable KubernetesResourceList<T> after(
      Function<ListOptions, ? extends KubernetesResourceList<T>> list,
      KubernetesResourceList<T> page) {
    var token = token(page);
    if (token.isEmpty()) {
      return null;
    }
    var next = page(list, token);
    if (token.equals(token(next))) {
      throw new KubernetesClientException(
          "a page of the list says that it is followed by itself; does something between us and the"
              + " API server drop the query?");
    }
    return next;
  }

  private static <T extends HasMetadata> KubernetesResourceList<T> page(
      Function<ListOptions, ? extends KubernetesResourceList<T>> list, String token) {
    var options = new ListOptionsBuilder().withLimit(SIZE);
    var page = list.apply((token.isEmpty() ? options : options.withContinue(token)).build());
    // What is no list must not pass for an empty one: all objects would count as gone.
    if (page == null
        || page.getMetadata() == null
        || page.getMetadata().getResourceVersion() == null) {
      throw new KubernetesClientException(
          "the answer to a list has no metadata.resourceVersion, so it is no list, not even an"
              + " empty one; does something between us and the API server answer?");
    }
    return page;
  }

  private static String token(KubernetesResourceList<?> page) {
    return Objects.requireNonNullElse(page.getMetadata().getContinue(), "");
  }
}
