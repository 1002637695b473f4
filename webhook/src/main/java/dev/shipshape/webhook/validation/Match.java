package dev.shipshape.webhook.validation;

import dev.shipshape.webhook.index.IndexedObject;
import dev.shipshape.webhook.store.KnownInvalidConfiguration;
import dev.shipshape.webhook.store.Verdict;
import java.util.List;

/** What makes a configuration known invalid. */
public sealed interface Match {
  /** How messages and the audit log name it. */
  String subject();

  /** The nodes that it is about; empty if nobody says. */
  List<String> nodes();

  /** Whether it counts on this node. */
  default boolean isAbout(String node) {
    return nodes().isEmpty() || nodes().contains(node);
  }

  /** Since when, ISO 8601; empty if nobody says. */
  String since();

  /** Who wrote that it failed; empty if nobody says. */
  String writer();

  /** Why it failed; empty if nobody says. */
  String why();

  /** Whether it holds secrets, which are in no hash. */
  boolean holdsSecrets();

  /** Whether nobody is refused for its sake. */
  default boolean onlyWarns() {
    return false;
  }

  /** An object that says so. */
  record OfObject(IndexedObject object) implements Match {
    @Override
    public String subject() {
      return object.key();
    }

    @Override
    public List<String> nodes() {
      return List.of(object.role().node());
    }

    @Override
    public String since() {
      return object.story().at();
    }

    @Override
    public String writer() {
      return object.story().recordedBy();
    }

    @Override
    public String why() {
      return object.story().why();
    }

    @Override
    public boolean holdsSecrets() {
      return object.holdsSecrets();
    }

    @Override
    public boolean onlyWarns() {
      return object.suspected();
    }
  }

  /** A KnownInvalidConfiguration says so. */
  record OfStore(KnownInvalidConfiguration known) implements Match {
    @Override
    public String subject() {
      var source = known.source().name();
      return (source.isEmpty() ? known.key().objectName() : source) + " (remembered)";
    }

    @Override
    public List<String> nodes() {
      return known.nodes();
    }

    @Override
    public String since() {
      return known.at().toString();
    }

    @Override
    public String writer() {
      return known.writer();
    }

    @Override
    public String why() {
      return known.reason();
    }

    @Override
    public boolean holdsSecrets() {
      return known.holdsSecrets();
    }

    @Override
    public boolean onlyWarns() {
      return known.verdict() == Verdict.SUSPECTED;
    }
  }

  /** It is the guard's own probe. */
  record OfProbe() implements Match {
    @Override
    public String subject() {
      return "shipshape's own probe";
    }

    @Override
    public List<String> nodes() {
      return List.of();
    }

    @Override
    public String since() {
      return "";
    }

    @Override
    public String writer() {
      return "";
    }

    @Override
    public String why() {
      return "it proves that the guard works";
    }

    @Override
    public boolean holdsSecrets() {
      return false;
    }
  }
}
