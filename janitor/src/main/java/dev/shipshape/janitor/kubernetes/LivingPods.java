package dev.shipshape.janitor.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The pods that still matter. One that is being deleted no longer does, nor does one that has
 * ended, as by an eviction: it stays for long, while another does its work.
 */
public final class LivingPods {
  private static final Set<String> ENDED = Set.of("Failed", "Succeeded");

  private LivingPods() {}

  /**
   * Reads them.
   *
   * @param list the path of a list of pods
   * @throws ApiFailure where they cannot be listed to the end
   */
  public static void read(KubernetesApi api, String list, Consumer<JsonNode> each) {
    new ListPages(api)
        .read(
            list,
            ListPages.FULL,
            pod -> {
              if (isAlive(pod)) {
                each.accept(pod);
              }
            });
  }

  private static boolean isAlive(JsonNode pod) {
    return !pod.path("metadata").has("deletionTimestamp")
        && !ENDED.contains(pod.path("status").path("phase").asText());
  }
}
