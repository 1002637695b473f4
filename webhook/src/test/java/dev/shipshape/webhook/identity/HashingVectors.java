package dev.shipshape.webhook.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Objects with what is computed of them, in the form by which other languages check themselves. */
final class HashingVectors {
  static final Path DOCS = Path.of("../docs/reference");

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          // The one way in which half a surrogate pair can be written.
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .build();

  private final ObjectNode file = JsonNodeFactory.instance.objectNode();
  private final ObjectNode rules = file.putObject("rules");
  private final ArrayNode vectors = file.putArray("vectors");
  private final Map<String, Identity> identities = new HashMap<>();

  /** With the rules of all presets. */
  HashingVectors() {
    PresetGuards.rules().forEach(this::guard);
  }

  void guard(String name, JsonNode identity) {
    rules.set(name, identity);
    identities.put(name, PresetGuards.identity(identity));
  }

  /** Adds one; its content is that of the guard's object. Returns its hash. */
  String add(String guard, String name, JsonNode content) {
    var object = JsonNodeFactory.instance.objectNode();
    object.set(rules.path(guard).path("content").asText(), content);
    var read = read(object);
    var identity = Objects.requireNonNull(identities.get(guard), guard);
    var hash = identity.hash(read).toString();
    vectors
        .addObject()
        .put("guard", guard)
        .put("name", name)
        .<ObjectNode>set("object", object)
        .put("canonical", new String(identity.canonical(read), StandardCharsets.UTF_8))
        .put("hash", hash);
    return hash;
  }

  /** The tree as it is read, where numbers are still written in some way. */
  static JsonNode read(JsonNode written) {
    try {
      return JsonLimits.MAPPER.readTree(MAPPER.writeValueAsString(written));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The file that holds them. */
  String text() throws IOException {
    return MAPPER.writeValueAsString(file) + "\n";
  }

  /** The page of Python in docs comes to the same, for every vector in a file. */
  static void assertAgreesWithPython(Path vectors) throws Exception {
    // CI has it; a contributor's machine need not.
    assumeThat(pythonIsHere() || System.getenv("CI") != null).as("python3 is installed").isTrue();
    var page = DOCS.resolve("config_hash.py").toString();
    var python =
        new ProcessBuilder("python3", page, vectors.toString()).redirectErrorStream(true).start();
    var said = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    var count = new JsonMapper().readTree(Files.readString(vectors)).path("vectors").size();
    assertThat(said).endsWith("%d vectors, 0 wrong\n".formatted(count)).doesNotStartWith("0 ");
    assertThat(python.waitFor()).as(said).isZero();
  }

  private static boolean pythonIsHere() throws InterruptedException {
    try {
      return new ProcessBuilder("python3", "--version").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
