package dev.shipshape.webhook.validation;

import dev.shipshape.webhook.config.FailureDetails;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.Role;
import dev.shipshape.webhook.index.IndexedObject;
import dev.shipshape.webhook.store.KnownInvalidConfiguration;
import java.util.List;
import java.util.Optional;

/** What somebody reads whose configuration is refused. */
final class DenialMessage {
  /** Nodes that are named of those where it failed. */
  private static final int SOME = 5;

  private DenialMessage() {}

  /**
   * @param refusedBefore the record that it was refused on this node before
   * @param override how it is written all the same
   */
  static String of(
      Guard guard, List<Match> equals, Optional<String> refusedBefore, String override) {
    var one = equals.getFirst();
    var more = equals.size() == 1 ? "" : " (and %d more)".formatted(equals.size() - 1);
    return "this configuration is known invalid: it equals %s%s%s%s %s"
        .formatted(
            one.subject(),
            more,
            switch (one) {
              case Match.OfObject(var object) ->
                  ", %s%s. %s"
                      .formatted(saying(object), story(object.story()), wayOut(guard, object));
              case Match.OfStore(var known) -> stored(known);
              case Match.OfProbe() -> ", which proves that the guard works.";
            },
            refusedBefore.map(" It was refused here before (%s)."::formatted).orElse(""),
            override);
  }

  private static String stored(KnownInvalidConfiguration known) {
    return ", which failed%s: at %s %s wrote that %s. Change the configuration, or, once what made it fail is repaired, run: helm shipshape forget %s."
        .formatted(
            on(known.nodes()),
            known.at(),
            known.writer().isEmpty() ? "somebody" : known.writer(),
            known.reason(),
            known.key().hash().abbreviated());
  }

  private static String on(List<String> nodes) {
    return nodes.isEmpty()
        ? ""
        : " with it on " + String.join(", ", nodes.subList(0, Math.min(SOME, nodes.size())));
  }

  private static String saying(IndexedObject object) {
    return switch (object.role()) {
      case Role.InvalidRecord(var node) -> "the record of a configuration that failed on " + node;
      case Role.Current ignored -> "whose own status says that it is invalid";
      case Role.Backup ignored ->
          throw new IllegalStateException(
              "a record of a good configuration is never known invalid");
    };
  }

  private static String story(FailureDetails story) {
    return (story.node().isEmpty() ? "" : ", on " + story.node())
        + (story.at().isEmpty() ? "" : ", since " + story.at())
        + (story.recordedBy().isEmpty() ? "" : ", written by " + story.recordedBy())
        + (story.why().isEmpty() ? "" : ": " + story.why());
  }

  private static String wayOut(Guard guard, IndexedObject object) {
    var way = "Change the configuration";
    return switch (object.role()) {
      case Role.InvalidRecord ignored ->
          "%s, or, once what made it fail is repaired, delete %s %s and write it again."
              .formatted(way, guard.resource(), object.key());
      case Role.Current ignored -> "%s, or repair what made %s fail.".formatted(way, object.key());
      case Role.Backup ignored -> way + ".";
    };
  }
}
