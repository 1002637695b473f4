package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Why a write that the guard lets through says nothing about the guard: by the release's values it
 * is not for everybody, or not for everything.
 */
final class LeftOut {
  /** Sections of the values that name users and groups. */
  private static final List<String> EXEMPTIONS =
      List.of("guard.exempt", "guard.recovery", "guard.settings.exempt");

  private LeftOut() {}

  /**
   * The reason, for a person to read; empty where the guard is for all that this user writes.
   *
   * @param values all of the release's, the chart's own defaults among them
   * @param user the {@code userInfo} of a SelfSubjectReview
   */
  static Optional<String> reason(JsonNode values, JsonNode user) {
    var name = user.path("username").asText();
    var groups = texts(user.path("groups"));
    var reasons =
        EXEMPTIONS.stream()
            .flatMap(
                section -> {
                  var named = values.at("/" + section.replace('.', '/'));
                  return Stream.concat(
                      shared(named.path("users"), Set.of(name), section + ".users"),
                      shared(named.path("groups"), groups, section + ".groups"));
                })
            .map(which -> "%s, as whom it is tried, is left out by %s".formatted(name, which));
    var conditions =
        StreamSupport.stream(values.at("/guard/matchConditions").spliterator(), false)
            .map(condition -> condition.path("name").asText())
            .collect(Collectors.joining(", "));
    var told =
        Stream.concat(
                reasons,
                conditions.isEmpty()
                    ? Stream.empty()
                    : Stream.of("guard.matchConditions may leave it out (" + conditions + ")"))
            .collect(Collectors.joining("; "));
    return told.isEmpty() ? Optional.empty() : Optional.of(told);
  }

  private static Stream<String> shared(JsonNode named, Set<String> mine, String section) {
    return texts(named).stream()
        .filter(mine::contains)
        .map(each -> "%s (%s)".formatted(section, each));
  }

  private static Set<String> texts(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false)
        .map(JsonNode::asText)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
