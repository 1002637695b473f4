package dev.shipshape.janitor.prune;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.janitor.prune.Plan.Entry;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A plan as it was saved: which sessions, each exactly as it was seen. A checksum tells a file that
 * was cut off or edited; what an entry may do is decided afresh all the same when it is carried
 * out.
 *
 * @param namespace where the sessions are
 * @param at the server's time that ages were reckoned by
 */
public record PlanFile(String namespace, Instant at, List<Entry> entries) {
  private static final String API_VERSION = "shipshape.dev/v1";
  private static final String KIND = "PrunePlan";
  private static final String CHECKSUM = "checksum";
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  public PlanFile {
    entries = List.copyOf(entries);
  }

  /** What to save of a plan. */
  public static PlanFile of(String namespace, Plan plan) {
    return new PlanFile(namespace, plan.at(), plan.entries());
  }

  /** Writes the file whole or not at all. */
  public void write(Path file) throws IOException {
    var plan = JsonNodeFactory.instance.objectNode();
    plan.put("apiVersion", API_VERSION).put("kind", KIND);
    plan.put("namespace", namespace).put("at", at.toString());
    var list = plan.putArray("entries");
    entries.forEach(entry -> list.add(SavedEntry.write(entry)));
    plan.put(CHECKSUM, checksum(plan));
    var text = MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(plan) + "\n";
    var whole = file.toAbsolutePath();
    var part = whole.resolveSibling(whole.getFileName() + ".part");
    try {
      Files.writeString(part, text);
      Files.move(part, whole, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /**
   * Reads a file.
   *
   * @throws IOException where it cannot be read
   * @throws BadPlan where it is no plan, or no longer the one that was saved
   */
  public static PlanFile read(Path file) throws IOException, BadPlan {
    var plan = parse(file);
    if (!(plan instanceof ObjectNode object)
        || !plan.path("apiVersion").asText().equals(API_VERSION)
        || !plan.path("kind").asText().equals(KIND)) {
      throw new BadPlan(
          file, "not a plan: apiVersion must be %s and kind %s".formatted(API_VERSION, KIND));
    }
    if (!plan.path(CHECKSUM).asText().equals(checksum(object))) {
      throw new BadPlan(
          file, "checksum: does not match: the file was cut off or edited; make a new plan");
    }
    return read(file, plan);
  }

  private static PlanFile read(Path file, JsonNode plan) throws BadPlan {
    var entries = new ArrayList<Entry>();
    for (var entry : plan.path("entries")) {
      try {
        entries.add(SavedEntry.read(entry));
      } catch (IllegalArgumentException e) {
        throw new BadPlan(file, "entries[%d].%s".formatted(entries.size(), e.getMessage()));
      }
    }
    var namespace = plan.path("namespace").asText("");
    for (var entry : entries) {
      if (!entry.session().namespace().equals(namespace)) {
        throw new BadPlan(
            file, "entries: %s is not in %s".formatted(entry.session().reference(), namespace));
      }
    }
    try {
      return new PlanFile(namespace, Instant.parse(plan.path("at").asText()), entries);
    } catch (DateTimeException e) {
      throw new BadPlan(file, "at: not a time: " + plan.path("at"));
    }
  }

  private static JsonNode parse(Path file) throws IOException, BadPlan {
    try {
      return MAPPER.readTree(Files.readString(file));
    } catch (JsonProcessingException e) {
      throw new BadPlan(
          file,
          "not JSON: line %d: %s".formatted(e.getLocation().getLineNr(), e.getOriginalMessage()));
    } catch (CharacterCodingException e) {
      throw new BadPlan(file, "not text in UTF-8");
    }
  }

  /** Over the whole plan but the checksum itself, however the file is laid out. */
  private static String checksum(ObjectNode plan) throws IOException {
    var rest = plan.deepCopy();
    rest.remove(CHECKSUM);
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      var bytes = MAPPER.writeValueAsString(rest).getBytes(UTF_8);
      return "sha256:" + HexFormat.of().formatHex(digest.digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
