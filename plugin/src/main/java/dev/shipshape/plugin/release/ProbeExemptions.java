package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.authentication.UserInfo;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Why a write that the guard allows says nothing about the guard: by the release's values it is not
 * for everybody, or not for everything.
 */
final class ProbeExemptions {
  private ProbeExemptions() {}

  /**
   * The reason, for a person to read; empty if the guard is for all that this user writes.
   *
   * @param values all of the release's, the chart's own defaults among them
   */
  static Optional<String> reason(JsonNode values, UserInfo user) {
    var recovery = values.at("/guard/recovery");
    var reasons =
        Stream.concat(
                shared(recovery.path("users"), List.of(user.getUsername()), "guard.recovery.users"),
                shared(recovery.path("groups"), user.getGroups(), "guard.recovery.groups"))
            .map(which -> "your user %s is left out by %s".formatted(user.getUsername(), which));
    var conditions =
        StreamSupport.stream(values.at("/guard/matchConditions").spliterator(), false)
            .map(condition -> condition.path("name").asText())
            .collect(Collectors.joining(", "));
    var all =
        Stream.concat(
                reasons,
                conditions.isEmpty()
                    ? Stream.empty()
                    : Stream.of("guard.matchConditions may leave it out (" + conditions + ")"))
            .collect(Collectors.joining("; "));
    return all.isEmpty() ? Optional.empty() : Optional.of(all);
  }

  private static Stream<String> shared(JsonNode named, Collection<String> mine, String section) {
    return StreamSupport.stream(named.spliterator(), false)
        .map(JsonNode::asText)
        .filter(mine::contains)
        .map(each -> "%s (%s)".formatted(section, each));
  }
}
