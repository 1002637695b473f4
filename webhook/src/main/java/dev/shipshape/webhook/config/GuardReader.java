package dev.shipshape.webhook.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.service.Section;
import dev.shipshape.service.SettingsReader;
import dev.shipshape.webhook.identity.Identity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads guards and presets from settings. */
public final class GuardReader {
  public static final List<String> PRESETS =
      List.of("nodeconfig", "schiff-revisions", "t-caas", "t-caas-intent");

  /** Presets that can be used together: t-caas-intent replaces t-caas. */
  public static final List<String> DEFAULT_PRESETS = PRESETS.subList(0, PRESETS.size() - 1);

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Guard names are part of the names of Kubernetes objects. */
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

  private GuardReader() {}

  /** Returns a preset's guards as shipped; IllegalArgumentException if there is no such preset. */
  public static List<Guard> preset(String name) {
    return preset(name, null);
  }

  /**
   * @param settings the entry of the settings that names the preset, for what it adds; null for
   *     none
   */
  private static List<Guard> preset(String name, @Nullable Section settings) {
    if (!PRESETS.contains(name)) {
      throw new IllegalArgumentException(
          "no preset %s; there are: %s".formatted(name, String.join(", ", PRESETS)));
    }
    var file = "/dev/shipshape/webhook/presets/" + name + ".yaml";
    return SettingsReader.shipped(GuardReader.class, file, top -> read(top, settings));
  }

  public static List<Guard> read(Section settings) {
    return read(settings, null);
  }

  private static List<Guard> read(Section settings, @Nullable Section additions) {
    var guards = new ArrayList<Guard>();
    for (var section : settings.sections("guards")) {
      if (section.has("preset")) {
        guards.addAll(section.parsed("preset", List.<Guard>of(), name -> preset(name, section)));
      } else {
        guards.add(guard(section, additions));
      }
    }
    reportDuplicates(settings, guards);
    return List.copyOf(guards);
  }

  private static void reportDuplicates(Section settings, List<Guard> guards) {
    var resources = new HashSet<String>();
    var names = new HashSet<String>();
    for (var guard : guards) {
      if (!resources.add(guard.resource().toString())) {
        settings.problem("guards", "two guards for " + guard.resource());
      }
      if (!names.add(guard.name())) {
        settings.problem("guards", "two guards named " + guard.name());
      }
    }
  }

  private static Guard guard(Section section, @Nullable Section additions) {
    var name = section.required("name");
    if (section.has("name") && !NAME.matcher(name).matches()) {
      section.problem("name", "must be a DNS label: lower-case letters, digits and -, 63 at most");
    }
    var resource = resource(section.section("resource"));
    var identity = IdentityReader.read(section.section("identity"));
    var records = section.has("records") ? records(section.section("records"), additions) : null;
    var conditions = StatusConditions.read(section);
    var failure = failure(section.section("failure"));
    var revisions = section.has("revisions") ? revisions(section.section("revisions")) : null;
    var rollout = section.has("rollout") ? rollout(section.section("rollout"), additions) : null;
    var stampOnly = section.flag("stampOnly", false);
    if (!stampOnly && records == null && conditions.invalidWhen() == null) {
      section.problem(
          "name", "needs records or invalidWhen to know what is invalid, or else stampOnly: true");
    }
    if (rollout != null
        && !rollout.serviceAccount().isEmpty()
        && records == null
        && conditions.provisionedWhen() == null) {
      section.problem(
          "rollout", "needs records or provisionedWhen to know what may be gone back to");
    }
    var acrossNamespaces = section.flag("acrossNamespaces", false);
    if (acrossNamespaces && !resource.namespaced()) {
      section.problem("acrossNamespaces", "needs resource.namespaced: true");
    }
    if (!stampOnly && revisions != null) {
      section.problem("revisions", "needs stampOnly: true");
    }
    return new Guard(
        name,
        resource,
        identity,
        records,
        conditions,
        failure,
        probe(section, identity),
        revisions,
        rollout,
        stampOnly,
        acrossNamespaces,
        section.flag("namedAfterNodes", false),
        section.has("origins") ? origins(section.section("origins")) : null);
  }

  private static Origins origins(Section section) {
    return new Origins(
        section.required("annotation"), section.required("group"), section.required("version"));
  }

  private static RevisionLink revisions(Section section) {
    section.required("field");
    return new RevisionLink(section.required("guard"), StatusConditions.path(section, "field"));
  }

  private static @Nullable Rollout rollout(Section section, @Nullable Section additions) {
    var process = resource(section.section("process"));
    var goingOn = StatusConditions.condition(section, "goingOnWhen");
    var serviceAccount =
        section.text(
            "serviceAccount", additions == null ? "" : additions.text("rolloutServiceAccount", ""));
    if (goingOn == null) {
      section.problem("goingOnWhen", "is required");
      return null;
    }
    return new Rollout(process, goingOn, serviceAccount);
  }

  private static @Nullable Probe probe(Section section, Identity identity) {
    return section
        .data("probe")
        .map(MAPPER::<JsonNode>valueToTree)
        .map(object -> new Probe(object, identity.hash(object)))
        .orElse(null);
  }

  private static GuardedResource resource(Section section) {
    return new GuardedResource(
        section.required("group"),
        section.required("version"),
        section.required("plural"),
        section.required("kind"),
        section.flag("namespaced", false));
  }

  private static RecordNames records(Section section, @Nullable Section additions) {
    var invalid = suffix(section, "invalidSuffix");
    var backup = suffix(section, "backupSuffix");
    if (invalid.equals(backup)) {
      section.problem("backupSuffix", "must not be the same as invalidSuffix");
    }
    return new RecordNames(
        section.required("ownerApiVersion"),
        section.required("ownerKind"),
        invalid,
        backup,
        section.flag("ownerless", additions != null && additions.flag("ownerlessRecords", false)));
  }

  /** With an empty suffix every object would count as a record, and records are never refused. */
  private static String suffix(Section section, String field) {
    var suffix = section.required(field);
    if (section.has(field) && suffix.isEmpty()) {
      section.problem(field, "must not be empty");
    }
    return suffix;
  }

  private static FailureFields failure(Section section) {
    return new FailureFields(
        StatusConditions.path(section, "node"),
        StatusConditions.path(section, "reason"),
        StatusConditions.path(section, "time"));
  }
}
