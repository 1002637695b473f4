package dev.shipshape.webhook.mutation;

import dev.shipshape.webhook.admission.GroupVersionResource;
import dev.shipshape.webhook.config.StampedResource;
import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Asks the API server which resources have a status subresource. */
@FunctionalInterface
public interface StatusDiscovery {
  /**
   * For each resource that is served, in each version, whether it has a status subresource.
   *
   * @throws KubernetesClientException where the API server does not say
   */
  Map<GroupVersionResource, Boolean> of(Collection<StampedResource> resources);

  /** By the API server's own discovery, which everybody who has an account may read. */
  static StatusDiscovery by(KubernetesClient client) {
    return resources -> {
      var found = new HashMap<GroupVersionResource, Boolean>();
      for (var group : resources.stream().map(StampedResource::group).collect(Collectors.toSet())) {
        for (var groupVersion : versions(client, group)) {
          add(found, resources, group, client.getApiResources(groupVersion));
        }
      }
      return Map.copyOf(found);
    };
  }

  private static List<String> versions(KubernetesClient client, String group) {
    if (group.isEmpty()) {
      return List.of("v1");
    }
    var served = client.getApiGroup(group);
    return served == null
        ? List.of()
        : served.getVersions().stream().map(version -> version.getGroupVersion()).toList();
  }

  private static void add(
      Map<GroupVersionResource, Boolean> found,
      Collection<StampedResource> resources,
      String group,
      @Nullable APIResourceList served) {
    if (served == null) {
      return;
    }
    var version = served.getGroupVersion();
    var names = names(served.getResources());
    for (var resource : resources) {
      if (resource.group().equals(group) && names.contains(resource.plural())) {
        found.put(
            new GroupVersionResource(
                group, version.substring(version.indexOf('/') + 1), resource.plural()),
            names.contains(resource.plural() + "/status"));
      }
    }
  }

  private static Set<String> names(List<APIResource> served) {
    var names = new HashSet<String>();
    served.forEach(resource -> names.add(resource.getName()));
    return names;
  }
}
