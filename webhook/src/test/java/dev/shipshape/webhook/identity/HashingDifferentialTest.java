package dev.shipshape.webhook.identity;

import static dev.shipshape.webhook.Json.json;
import static dev.shipshape.webhook.Json.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two programs that share no line, on whatever is written in the place of a configuration. */
class HashingDifferentialTest {
  private static final int TRIES = 100;
  private static final int SPELLINGS = 100;

  /** Rules as a user may write them, several at each place. */
  static final String OWN =
      """
      {content: 'body', absent: ['null', 'empty-object'], drop: ['gone', 'list[].gone', 'same'],
       secret: ['map.*.secret'],
       defaults: {'list[].flag': false, 'map.*.mode': 'a', 'deep.in.it': 7, 'same': 1},
       sameAsAbsent: {'list[].flag': true, 'map.*.mode': 'b', 'wait': '0s', 'deep.in.it': 0},
       spelling: {'networks[]': 'network', 'durations[]': 'duration', 'macs[]': 'mac',
                  'wait': 'duration'},
       sequences: [{list: 'list', field: 'n', absent: 'zero'}, {list: 'map.*.steps', field: 'n'}],
       sorted: [{list: 'list', by: ['k', 'n'], agreeing: 'flag'}, {list: 'names'},
                {list: 'lists[]'}, {list: 'lists', by: ['k']}, {list: 'map.*.steps', by: ['k']}]}
      """;

  static final String BODY =
      """
      {gone: 1, same: 1, wait: '0s', names: ['a', 'b', true, 10, 9], lists: [['b', 'a'], [2, 1]],
       list: [{k: 'a', n: 2, flag: true}, {k: 'a', n: 1, gone: 3}, {k: 'b'}, {k: 1, n: -1}],
       map: {x: {secret: 's', mode: 'a', steps: [{n: 3, k: 1}, {n: 1, k: 0}, {k: 7}, {k: 1}]},
             y: {mode: 'b'}, z: {}}, deep: {in: {it: 0}}}
      """;

  @Test
  void anotherLanguageComesToTheSameWhateverIsWritten(@TempDir Path folder) throws Exception {
    var vectors = new HashingVectors();
    vectors.guard("own", json(OWN));
    for (var seed = 0; seed < TRIES; seed++) {
      var samples = new EdgeSamples(seed);
      for (var guard : GuardSamples.GUARDS) {
        vectors.add(guard, "seed " + seed, samples.like(GuardSamples.spec(guard)));
      }
      vectors.add("own", "seed " + seed, samples.like(body(samples)));
    }
    vectors.add("own", "nothing", JsonNodeFactory.instance.nullNode());
    vectors.add("own", "every edge", everyEdge());
    var file = folder.resolve("vectors.json");
    Files.writeString(file, vectors.text());

    HashingVectors.assertAgreesWithPython(file);
  }

  private static ObjectNode body(EdgeSamples samples) {
    var body = object(BODY);
    var networks = body.putArray("networks");
    var durations = body.putArray("durations");
    IntStream.range(0, SPELLINGS).forEach(each -> networks.add(samples.network()));
    IntStream.range(0, SPELLINGS).forEach(each -> durations.add(samples.duration()));
    return body;
  }

  private static JsonNode everyEdge() {
    var body = JsonNodeFactory.instance.objectNode();
    Edges.NETWORKS.forEach(body.putArray("networks")::add);
    Edges.DURATIONS.forEach(body.putArray("durations")::add);
    Edges.MACS.forEach(body.putArray("macs")::add);
    var numbers = body.putArray("numbers");
    Edges.NUMBERS.forEach(number -> numbers.addRawValue(new RawValue(number)));
    return body;
  }
}
