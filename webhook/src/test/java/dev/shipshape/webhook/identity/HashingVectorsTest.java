package dev.shipshape.webhook.identity;

import static dev.shipshape.webhook.Json.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.guard.GuardReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The vectors in docs, by which other languages check themselves: they are what this code computes,
 * and the page of Python beside them agrees.
 */
class HashingVectorsTest {
  private static final Path DOCS = Path.of("../docs/reference");
  private static final Path VECTORS = DOCS.resolve("hashing-vectors.json");
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  /** With {@code -Dvectors=write} the file is written instead of checked. */
  @Test
  void theVectorsInDocsAreWhatIsComputed() throws Exception {
    var computed = MAPPER.writeValueAsString(vectors()) + "\n";
    if ("write".equals(System.getProperty("vectors"))) {
      Files.writeString(VECTORS, computed);
    }

    assertThat(Files.readString(VECTORS)).isEqualTo(computed);
  }

  @Test
  void anotherLanguageComesToTheSame() throws Exception {
    assumeThat(pythonIsHere()).as("python3 is installed").isTrue();
    var python =
        new ProcessBuilder("python3", DOCS.resolve("config_hash.py").toString(), VECTORS.toString())
            .redirectErrorStream(true)
            .start();
    var said = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(python.waitFor()).as(said).isZero();
    assertThat(said).endsWith(" vectors, 0 wrong\n").doesNotStartWith("0 ");
  }

  private static boolean pythonIsHere() throws InterruptedException {
    try {
      return new ProcessBuilder("python3", "--version").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static ObjectNode vectors() throws Exception {
    var file = JsonNodeFactory.instance.objectNode();
    var rules = file.putObject("rules");
    var vectors = file.putArray("vectors");
    for (var preset : GuardReader.PRESETS) {
      for (var guard : yaml(preset).path("guards")) {
        rules.set(guard.path("name").asText(), guard.path("identity"));
      }
    }
    for (var sample : samples()) {
      var object = sample.path("object");
      var identity = PresetGuards.named(sample.path("guard").asText()).identity();
      ((ObjectNode) sample)
          .put("canonical", new String(identity.canonical(object), StandardCharsets.UTF_8))
          .put("hash", identity.hash(object).toString());
      vectors.add(sample);
    }
    for (var seed = 0; seed < 20; seed++) {
      var samples = new NodeConfigSamples(seed);
      var object = JsonNodeFactory.instance.objectNode();
      object.set("spec", samples.respelled(samples.spec()));
      var identity = PresetGuards.named("nodeconfig").identity();
      vectors
          .addObject()
          .put("guard", "nodeconfig")
          .put("name", "random " + seed)
          .<ObjectNode>set("object", object)
          .put("canonical", new String(identity.canonical(object), StandardCharsets.UTF_8))
          .put("hash", identity.hash(object).toString());
    }
    return file;
  }

  private static JsonNode samples() {
    return json(
        """
        [{guard: 'nodeconfig', name: 'empty', object: {spec: {layer2: [], vrf: null}}},
         {guard: 'nodeconfig', name: 'sorting, defaults, spelling', object: {spec: {
           layer2: [{id: 200, mtu: 1500, vni: 2}, {id: 100, mtu: 1500, vni: 1, vrf: '',
             anycastMac: '00:00:5E:00:01:64', anycastGateways: ['10.1.0.1/24', '10.0.0.1/24'],
             nodeSelector: {matchLabels: {a: 'b'}}, advertiseNeighbors: false}],
           vrf: [{vrf: 'b', seq: 1, import: [{cidr: '2001:DB8::7/32', action: 'permit'}]},
                 {vrf: 'a', seq: 2, import: [{cidr: '10.9.9.9/8', action: 'deny', seq: 7},
                                             {cidr: '0.0.0.0/0', action: 'permit'}]}],
           routingTable: [{tableId: 2}, {tableId: 1}]}}},
         {guard: 'nodeconfig', name: 'VRFs that disagree keep their order', object: {spec: {
           vrf: [{vrf: 'a', seq: 2, mtu: 1500}, {vrf: 'a', seq: 1}]}}},
         {guard: 'nodeconfig', name: 'other letters', object: {spec: {
           layer2: [{id: 1, 'ü': '€😀"\\\\', '😀': 1, '\ufb33': 2}]}}},
         {guard: 'schiff-revision', name: 'a revision', object: {spec: {revision: 'x', config: {
           revision: '', layer2: [{id: 2, nodeSelector: {}}, {id: 1}]}}}},
         {guard: 't-caas-revision', name: 'absent is zero, durations', object: {spec: {
           revision: 'x', bgp: [{name: 'b', holdTime: '1m30s'}, {name: 'a', holdTime: '90s'}],
           vrf: [{vrf: 'a', import: [{cidr: '10.1.2.3/8', seq: 5}, {cidr: 'x'}]}]}}},
         {guard: 't-caas-node', name: 'maps, secrets, empty objects', object: {spec: {
           revision: 'x', clusterVRF: {gres: {g: {}}, bgpPeers: [{password: 'p', address: 'a'}],
             vrfImports: [{fromVrf: 'b'}, {fromVrf: 'a', filter: {}}]},
           layer2s: {'100': {irb: {macAddress: 'AA:BB:CC:DD:EE:FF'}}},
           fabricVRFs: {m: {evpnImportRouteTargets: ['b', 'a']}}}}}]
        """);
  }

  private static JsonNode yaml(String preset) throws IOException {
    var file = "/dev/shipshape/webhook/presets/" + preset + ".yaml";
    try (var stream = HashingVectorsTest.class.getResourceAsStream(file)) {
      return MAPPER.valueToTree(
          new Load(LoadSettings.builder().build()).loadFromInputStream(stream));
    }
  }
}
