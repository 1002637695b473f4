package dev.shipshape.webhook.guard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.Section;
import dev.shipshape.service.SettingsReader;
import dev.shipshape.webhook.identity.Identity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads guards from settings, presets included. */
public final class GuardReader {
  /** The presets that can be named in settings. */
  public static final List<String> PRESETS = List.of("nodeconfig", "schiff-revisions", "t-caas");

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private GuardReader() {}

  /**
   * The guards of a preset.
   *
   * @throws IllegalArgumentException where there is no preset of this name
   */
  public static List<Guard> preset(String name) {
    if (!PRESETS.contains(name)) {
      throw new IllegalArgumentException(
          "no preset %s; there are: %s".formatted(name, String.join(", ", PRESETS)));
    }
    var file = "/dev/shipshape/webhook/presets/" + name + ".yaml";
    try (var resource = GuardReader.class.getResourceAsStream(file)) {
      if (resource == null) {
        throw new IllegalStateException("the preset " + file + " is not in this program");
      }
      var yaml = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
      return SettingsReader.parse(file, yaml, GuardReader::read);
    } catch (IOException e) {
      throw new UncheckedIOException("could not read the preset " + file, e);
    } catch (BadSettings e) {
      throw new IllegalStateException("the preset is wrong: " + e.getMessage(), e);
    }
  }

  /** The guards in the list {@code guards}: a preset's, or such as the user defines. */
  public static List<Guard> read(Section settings) {
    var guards = new ArrayList<Guard>();
    for (var section : settings.sections("guards")) {
      if (section.has("preset")) {
        guards.addAll(section.parsed("preset", List.of(), GuardReader::preset));
      } else {
        own(section).ifPresent(guards::add);
      }
    }
    reportRepeated(settings, guards);
    return List.copyOf(guards);
  }

  private static void reportRepeated(Section settings, List<Guard> guards) {
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

  private static Optional<Guard> own(Section section) {
    var name = section.required("name");
    var resource = resource(section.section("resource"));
    var identity = IdentityReader.read(section.section("identity"));
    var records = section.has("records") ? records(section.section("records")) : null;
    var invalidWhen = section.has("invalidWhen") ? condition(section.section("invalidWhen")) : null;
    var told = told(section.section("told"));
    var stampOnly = section.flag("stampOnly", false);
    if (stampOnly == (records != null || invalidWhen != null)) {
      section.problem(
          "name", "needs records or invalidWhen to know what is invalid, or else stampOnly: true");
    }
    return identity.map(
        found ->
            new Guard(name, resource, found, records, invalidWhen, told, probe(section, found)));
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

  private static RecordNames records(Section section) {
    var invalid = suffix(section, "invalidSuffix");
    var backup = suffix(section, "backupSuffix");
    if (invalid.equals(backup)) {
      section.problem("backupSuffix", "must not be the same as invalidSuffix");
    }
    return new RecordNames(
        section.required("ownerApiVersion"), section.required("ownerKind"), invalid, backup);
  }

  /** An empty one would make a record, which nobody checks, of every object. */
  private static String suffix(Section section, String field) {
    var suffix = section.required(field);
    if (section.has(field) && suffix.isEmpty()) {
      section.problem(field, "must not be empty");
    }
    return suffix;
  }

  private static Told told(Section section) {
    return new Told(field(section, "node"), field(section, "why"), field(section, "at"));
  }

  private static List<String> field(Section section, String name) {
    return section.text(name).map(text -> List.of(text.split("\\."))).orElse(List.of());
  }

  private static @Nullable FieldEquals condition(Section section) {
    var field = List.of(section.required("field").split("\\."));
    return new FieldEquals(field, JsonText.read(section.required("equals")));
  }
}
