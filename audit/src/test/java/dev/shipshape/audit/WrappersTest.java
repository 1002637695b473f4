package dev.shipshape.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.shipshape.sandbox.junit.Promise;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.apache.commons.compress.compressors.CompressorStreamFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The same sixteen events, as exports, collectors and tools hand them on. */
class WrappersTest {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final JsonMapper PRETTY =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .build();

  @TempDir private Path folder = Path.of("");
  private final List<String> events = sixteen();

  private static List<String> sixteen() {
    var requests = new Requests();
    for (var i = 0; i < 16; i++) {
      requests.request(
          "CN=\"o\\p\" " + i,
          i % 2 == 0 ? "update" : "get",
          "configmaps/shop/größe-" + i,
          200,
          i % 3 == 0 ? "{\"data\":{\"a\":\"line\\nline }{ \\\\ \\\"x\\\" \\u20ac €𝄞\"}}" : null,
          // What an event carries is no event.
          "{\"metadata\":{\"uid\":\"u%d\"},\"x\":{\"auditID\":\"no\",\"stage\":\"Panic\"},\"y\":[1,[],{}]}"
              .formatted(i));
    }
    return requests.lines();
  }

  /**
   * @param each one event: EVENT as it is, TEXT as a JSON string, CSV as a field, INNER as a string
   *     within a string
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "plain | EVENT",
        "CRI | 2026-11-23T04:00:00.123456789Z stdout F EVENT",
        "syslog | <134>Nov  3 04:00:00 master-0 audit[7]: EVENT",
        "kubectl logs --prefix | [pod/apiserver-0/audit] EVENT",
        "EKS as text | EVENTS\t39\t1763870400000\tEVENT\tkube-apiserver-audit-1",
        "aws logs tail | 2026-11-23T04:00:00.1+00:00 kube-apiserver-audit-1 EVENT",
        "Firehose |"
            + " {\"messageType\":\"DATA_MESSAGE\",\"logEvents\":[{\"id\":\"1\",\"message\":TEXT}]}",
        "Insights as CSV | 2026-11-23 04:00:00.000,CSV",
        "psql as CSV | CSV,7",
        "Azure's portal as CSV | t,CSVLF,stdout",
        "Grafana as CSV | 17,CSV,\"{\"\"app\"\":\"\"audit\"\"}\"",
        "AKS | {\"category\":\"kube-audit\",\"properties\":{\"log\":TEXT,\"stream\":\"stdout\"}}",
        "AKS, properties as text | {\"properties\":INNER}",
        "AKS workspace | {\"TimeGenerated\":\"2026\",\"log_s\":TEXT}",
        "Filebeat | {\"@timestamp\":\"2026\",\"message\":TEXT}",
        "Filebeat, decoded | {\"host\":{\"name\":\"x\"},\"json\":EVENT,\"tags\":[1,null]}",
        "Fluent Bit | {\"log\":PREFIXED,\"stream\":\"stdout\"}",
        "Docker | {\"log\":TEXT,\"stream\":\"stdout\",\"time\":\"2026\"}",
        "Splunk | {\"preview\":false,\"result\":{\"_raw\":TEXT}}",
        "logcli | 2026-11-23T04:00:00Z {app=\"audit\", x=\"y\"} EVENT",
        "logcli jsonl | {\"labels\":{\"a\":\"b\"},\"line\":TEXT,\"timestamp\":\"2026\"}",
        "OTLP |"
            + " {\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[{\"body\":{\"stringValue\":TEXT}}]}]}]}",
        "logfmt | level=info msg=TEXT x=1",
        "a string | TEXT",
        "a string, as Python writes it | ASCII",
      })
  void linesOf(String form, String each) throws IOException {
    var lines = events.stream().map(event -> put(event, each)).toList();

    assertHasAll(form, String.join("\n", lines));
    assertHasAll(form + ", CRLF", String.join("\r\n", lines) + "\r\n");
    assertHasAll(form + ", behind a mark", "\ufeff" + String.join("\n", lines) + "\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "array | [ | EVENT | ]",
        "EventList | {\"kind\":\"EventList\",\"metadata\":{},\"items\":[ | EVENT | ]}",
        "filter-log-events | {\"events\":[ | {\"message\":TEXT} | ],\"searchedLogStreams\":[]}",
        "subscription | {\"messageType\":\"DATA_MESSAGE\",\"logEvents\":[ | {\"message\":TEXT} |"
            + " ]}",
        "Insights | {\"results\":[ |"
            + " [{\"field\":\"@timestamp\",\"value\":\"2026\"},{\"value\":TEXT}] | ]}",
        "AKS records | {\"records\":[ | {\"properties\":{\"log\":TEXT}} | ]}",
        "Loki | {\"data\":{\"result\":[{\"stream\":{\"a\":\"b\"},\"values\":[ | [\"17\",TEXT] |"
            + " ]}]}}",
        "arrays of arrays | [[[ | [EVENT,[]] | ]],{}]",
        "an array as text | {\"all\": | INNER_ARRAY | }"
      })
  void oneValue(String form, String before, String each, String after) throws IOException {
    var value =
        each.equals("INNER_ARRAY")
            ? before + MAPPER.valueToTree(events.toString()) + after
            : before
                + events.stream().map(event -> put(event, each)).collect(Collectors.joining(","))
                + after;

    assertHasAll(form, value);
    assertHasAll(
        "pretty " + form, PRETTY.writeValueAsString(MAPPER.readValue(value, Object.class)));
  }

  @Test
  void objectsOverSeveralLinesAndManyOnOne() throws IOException {
    var pretty = new ArrayList<String>();
    for (var event : events) {
      pretty.add(PRETTY.writeValueAsString(MAPPER.readValue(event, Object.class)));
    }

    assertHasAll("jq .", String.join("\n", pretty));
    assertHasAll("jq ., CRLF", String.join("\n", pretty).replace("\n", "\r\n"));
    assertHasAll("jq -j", String.join("", events));
    assertHasAll("tabs", String.join("\t", events));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gz", "bzip2", "xz"})
  void packed(String how) throws Exception {
    assertHasAll(how, packed(how, String.join("\n", events).getBytes(UTF_8)));
  }

  @Test
  void packedWithZstandard() throws IOException {
    var bytes = String.join("\n", events).getBytes(UTF_8);
    var compressor = new io.airlift.compress.zstd.ZstdCompressor();
    var out = new byte[compressor.maxCompressedLength(bytes.length)];
    var length = compressor.compress(bytes, 0, bytes.length, out, 0, out.length);

    assertHasAll("zstd", java.util.Arrays.copyOf(out, length));
  }

  @Test
  void archivesAndFilesWithinThemAreNamed() throws Exception {
    var first = String.join("\n", events.subList(0, 9)).getBytes(UTF_8);
    var second = packed("gz", String.join("\n", events.subList(9, 16)).getBytes(UTF_8));
    var tar = new ByteArrayOutputStream();
    try (var out = new TarArchiveOutputStream(tar)) {
      for (var content : List.of(first, second)) {
        var entry = new TarArchiveEntry(content == first ? "audit.log" : "old/audit.log.gz");
        entry.setSize(content.length);
        out.putArchiveEntry(entry);
        out.write(content);
        out.closeArchiveEntry();
      }
    }
    var zip = new ByteArrayOutputStream();
    try (var out = new ZipArchiveOutputStream(zip)) {
      out.putArchiveEntry(new ZipArchiveEntry("logs.tgz"));
      out.write(packed("gz", tar.toByteArray()));
      out.closeArchiveEntry();
    }

    assertHasAll("tar", tar.toByteArray());
    var file = Files.write(folder.resolve("all.zip"), zip.toByteArray());
    assertHasAll("zip", zip.toByteArray());
    assertThat(Requests.report(Requests.logs(file)).logs())
        .extracting(ReadReport.Log::toString)
        .containsExactly(
            file + ":logs.tgz:audit.log: 9 lines, 9 events",
            file + ":logs.tgz:old/audit.log.gz: 7 lines, 7 events");
  }

  @Test
  void onlyTheHostBeforeALineIsPartOfItsSource() throws IOException {
    assertThat(source("master-0 ")).isEqualTo("@master-0");
    assertThat(source("2026-11-23T04:00:00.123Z stdout F ")).isEmpty();
    assertThat(source("<134>Nov  3 04:00:00 master-0 audit[7]: ")).isEqualTo("@master-0");
    assertThat(source("Nov  3 04:00:00 ")).isEmpty();
    assertThat(source("Mon Nov 23 04:00:00 UTC 2026 ")).isEmpty();
    assertThat(source("EVENTS\t39\t")).isEmpty();
    assertThat(source("I1123 04:00:00.123456       1 audit.go:10] ")).isEmpty();
    assertThat(source("[pod/apiserver-0/audit] ")).isEqualTo("@pod/apiserver-0/audit");
  }

  /** An entry as Cloud Logging exports it, with names of the fields as in its documentation. */
  @Test
  void googlesAuditLogIsRead() throws IOException {
    var entry =
        """
        {"insertId":"i-1","protoPayload":{"@type":"type.googleapis.com/google.cloud.audit.AuditLog",
        "authenticationInfo":{"principalEmail":"jane@shop.test"},"methodName":"io.k8s.METHOD",
        "resourceName":"RESOURCE","requestMetadata":{"callerIp":"10.0.0.1",
        "callerSuppliedUserAgent":"kubectl/v1.36"},"serviceName":"k8s.io","status":{"code":CODE},
        "response":{"@type":"x","metadata":{"uid":"u1","resourceVersion":"7"}}},
        "operation":{"id":"op-ID","first":true,"last":true},"timestamp":"2026-11-23T04:00:0ID.5Z"}
        """;
    var entries =
        List.of(
            "core.v1.pods.create core/v1/namespaces/shop/pods/web-0 0",
            "apps.v1.deployments.status.patch apps/v1/namespaces/shop/deployments/web/status 10",
            "core.v1.nodes.get core/v1/nodes/n1 5",
            "core.v1.namespaces.update core/v1/namespaces/shop/finalize 0",
            "core.v1.configmaps.update core/v1/namespaces/shop/configmaps/settings 0");
    var text = new StringBuilder();
    for (var i = 0; i < entries.size(); i++) {
      var parts = entries.get(i).split(" ");
      text.append(
          entry
              .replace("\n", "")
              .replace("METHOD", parts[0])
              .replace("RESOURCE", parts[1])
              .replace("CODE", parts[2])
              .replace("ID", Integer.toString(i)));
    }
    // As most are: without bodies.
    text.delete(text.lastIndexOf(",\"response\""), text.lastIndexOf("},\"operation\""));
    var log = Files.writeString(folder.resolve("gke.json"), text);

    assertThat(read(log))
        .extracting(
            event ->
                "%s %s %s %s %d %s %s"
                    .formatted(
                        event.auditId(),
                        event.actor(),
                        event.verb(),
                        event.object().path() + "+" + event.object().subresource(),
                        event.code(),
                        event.uid(),
                        Times.format(event.received())))
        .containsExactly(
            "op-0 jane@shop.test create pods/shop/web-0+ 201 u1 2026-11-23T04:00:00.500000Z",
            "op-1 jane@shop.test patch deployments.apps/shop/web+status 409 u1"
                + " 2026-11-23T04:00:01.500000Z",
            "op-2 jane@shop.test get nodes/n1+ 404 u1 2026-11-23T04:00:02.500000Z",
            "op-3 jane@shop.test update namespaces/shop+finalize 200 u1"
                + " 2026-11-23T04:00:03.500000Z",
            "op-4 jane@shop.test update configmaps/shop/settings+ 200 "
                + " 2026-11-23T04:00:04.500000Z");
    assertThat(
            Races.find(Requests.logs(log), Requests.about("configmaps/settings"), List.of(), false)
                .withoutBody())
        .as("cannot be judged")
        .isEqualTo(1);
  }

  @Test
  void rowsOfAzuresTableAreReadAndWhatTheirBodiesCarryIsNot() throws IOException {
    var rows = new ArrayList<String>();
    for (var event : events) {
      var row = MAPPER.createObjectNode().put("TimeGenerated", "2026-11-23T04:00:00Z");
      for (var field : MAPPER.readTree(event).properties()) {
        row.put(
            field
                .getKey()
                .replace("auditID", "auditId")
                .replace("requestURI", "requestUri")
                .replace("sourceIPs", "sourceIps")
                .replace("requestReceivedTimestamp", "requestReceivedTime")
                .replace("stageTimestamp", "stageReceivedTime")
                .transform(
                    name -> name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1)),
            field.getValue().isTextual() ? field.getValue().asText() : field.getValue().toString());
      }
      rows.add(row.toString());
    }
    assertHasAll("rows", "[" + String.join(",\n", rows) + "]");

    var forged = MAPPER.valueToTree(events.get(2)).toString();
    var body =
        MAPPER
            .valueToTree(
                "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"data\":{\"x\":%s}}"
                    .formatted(forged))
            .toString();
    for (var unreadable :
        List.of(
            "{\"AuditId\":\"a\",\"\":1,\"RequestObject\":%s}".formatted(body),
            "{\"Verb\":\"update\",\"RequestObject\":%s}".formatted(body),
            "{\"Verb\":\"update\",\"Body\":%s}".formatted(body),
            "2026-11-23,update,\"%s\""
                .formatted(MAPPER.readTree(body).asText().replace("\"", "\"\"")))) {
      var log = Files.writeString(folder.resolve("rows.log"), unreadable + "\n" + events.get(0));
      assertThat(read(log)).as(unreadable).extracting(AuditEvent::auditId).containsExactly("id-0");
    }
  }

  @Test
  void aRowOfAzuresTableThatIsNotWholeIsNotLostSilently() throws IOException {
    var row =
        """
        {"AuditId":"ID","Stage":"ResponseComplete","Level":"RequestResponse","Verb":"update",\
        "RequestReceivedTime":"2026-11-23T04:00:00Z","User":"{\\"username\\":\\"jane\\"}",\
        "ObjectRef":"{\\"resource\\":\\"configmaps\\",\\"namespace\\":\\"shop\\",\\"name\\":\\"a\\"}",\
        "ResponseStatus":"{\\"code\\":200}","ResponseObject":"BODY"}\
        """;
    var rows =
        List.of(
            row.replace("ID", "a").replace("BODY", "{\\\"metadata\\\":{}}"),
            row.replace("ID", "cut").replace("BODY", "{\\\"metadata\\\":{\\\"uid\\\":\\\"abc"),
            row.replace("ID", "lost").replace("2026", "when "));
    var log = Files.writeString(folder.resolve("rows.json"), rows.toString());

    assertThat(read(log)).extracting(AuditEvent::auditId).containsExactly("a", "cut");
    assertThat(Requests.report(Requests.logs(log)).unread()).as("lost").isEqualTo(1);
    var found = Races.find(Requests.logs(log), EventFilter.ALL, List.of(), false);
    assertThat(found.withoutBody()).as("cut").isEqualTo(1);
  }

  @Test
  void googlesYamlIsRefusedAsItsFoldedTextsLookLikeEvents() throws IOException {
    var log =
        Files.writeString(
            folder.resolve("gke.yaml"),
            "---\ninsertId: x\nprotoPayload:\n  request:\n    data:\n      x: '"
                + events.getFirst()
                + "'\n");

    assertThat(read(log)).isEmpty();
    assertThat(Requests.report(Requests.logs(log)).logs().getFirst().example())
        .asString()
        .contains("--format=json");
  }

  @Test
  void timesAsWarehousesAndOldServersWriteThemAreRead() throws IOException {
    var event = events.getFirst().replaceFirst("\"stageTimestamp\":\"[^\"]*\"", "\"x\":1");
    for (var time :
        List.of(
            "2026-11-23 04:00:00",
            "2026-11-23 04:00:00.00 UTC",
            "2026-11-23T05:00:00+01:00",
            "2026-11-23T05:00:00.000+0100",
            "2026-11-23 04:00:00+00")) {
      var log =
          Files.writeString(
              folder.resolve("t.log"), event.replace("2026-11-23T04:00:00.000000Z", time));
      assertThat(Times.format(read(log).getFirst().received()))
          .isEqualTo("2026-11-23T04:00:00.000000Z");
    }
    var old = Files.writeString(folder.resolve("t.log"), event.replace("requestReceivedT", "t"));
    assertThat(Times.format(read(old).getFirst().received()))
        .isEqualTo("2026-11-23T04:00:00.000000Z");
  }

  /** Whoever may write a ConfigMap could tell of requests that never were. */
  @Promise(
      value = "Text inside a request's body is never read as an event.",
      breaks = "Searching for the text alone.")
  @Test
  void whatAnEventCarriesIsNoEventWhateverIsLostOfIt() throws IOException {
    var forged = MAPPER.valueToTree(events.get(2)).toString();
    var within = MAPPER.valueToTree("note \"" + events.get(2)).toString();
    var whole =
        new Requests()
            .request(
                "mallory",
                "update",
                "configmaps/shop/x",
                200,
                "{\"data\":{\"log\":%s,\"more\":1},\"x\":[%s]}".formatted(forged, events.get(3)),
                "{\"data\":{\"log\":%s,\"note\":%s,\"z\":1},\"list\":[%s,5]}"
                    .formatted(forged, within, within))
            .lines()
            .getFirst();
    for (var broken :
        List.of(
            whole.replace("\"stage\"", "\"x\""),
            whole.substring(0, whole.length() - 3),
            whole.replace("\"auditID\"", "auditID"),
            whole.substring(whole.indexOf("\"userAgent\"")),
            whole.substring(whole.indexOf("\"data\"")),
            whole.substring(whole.indexOf("note \\")),
            whole.substring(whole.indexOf("\\\"{", whole.indexOf("note \\"))),
            whole.substring(whole.indexOf("\"{", whole.indexOf("note \\"))),
            "2026-11-23T04:00:00Z stdout F " + whole.substring(whole.lastIndexOf("\"{\\\"kind")),
            "2026-11-23T04:00:00Z stdout F " + whole.substring(whole.indexOf("ote \\")),
            whole.substring(whole.indexOf("\"more\"")))) {
      assertNoneIsForgedIn(broken, 1);
    }
  }

  private void assertNoneIsForgedIn(String broken, int unread) throws IOException {
    var log = Files.writeString(folder.resolve("f.log"), broken + "\n" + events.get(0) + "\n");
    assertThat(read(log)).as(broken).extracting(AuditEvent::auditId).containsExactly("id-0");
    assertThat(Requests.report(Requests.logs(log)).unread()).as(broken).isEqualTo(unread);
  }

  /** Its path and its user agent are in the log, too. Both need no right. */
  @Promise(
      value = "Text inside a request's path or headers is never read as an event.",
      breaks = "Passing over the bodies only.")
  @Test
  void whatARefusedRequestCarriesIsNoEventWhateverIsLostOfIt() throws IOException {
    var forged = MAPPER.valueToTree(events.get(2)).toString();
    var refused =
        """
        {"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"id-x",\
        "stage":"ResponseComplete","requestURI":"/api/v1/namespaces/shop/pods/x?%%s","verb":"get",\
        "user":{"username":"system:anonymous"},"sourceIPs":["10.0.0.1"],"userAgent":%1$s,\
        "impersonatedUser":{"username":%1$s},\
        "objectRef":{"resource":"pods","namespace":"shop","name":%1$s,"apiVersion":"v1"},\
        "responseStatus":{"metadata":{},"status":"Failure","message":%2$s,"code":403},\
        "requestReceivedTimestamp":"2026-11-23T04:00:00.000000Z",\
        "annotations":{"authorization.k8s.io/reason":%1$s}}\
        """
            .formatted(forged, MAPPER.valueToTree("pods " + forged + " is forbidden"));
    var whole = refused.formatted("");
    assertNoneIsForgedIn(whole.substring(0, whole.length() - 3), 1);
    assertNoneIsForgedIn(whole.replace("\"stage\"", "\"x\""), 1);
    assertNoneIsForgedIn("2026-11-23T04:00:00Z stdout P " + whole.replaceAll("...$", ""), 1);

    // A container runtime splits where the caller wants it, by the length of the path.
    for (var part : List.of("{\"resource", "{\"metadata", "{\"authorization")) {
      var at = (16 << 10) - whole.indexOf(part);
      var line = refused.formatted("a".repeat(at) + "a".repeat(32 << 10)).substring(32 << 10);
      var first = line.substring(0, 16 << 10);
      var rest = line.substring(16 << 10);
      assertThat(rest).startsWith(part);
      for (var cri :
          List.of(
              "2026-11-23T04:00:00.1Z std%s %s %s",
              "2026-11-23T04:00:00.123456789+01:00 std%s %s %s")) {
        assertNoneIsForgedIn(
            cri.formatted("out", "P", first)
                + "\n"
                + cri.formatted("err", "F", "I1123 04:00:00 x.go:1] x")
                + "\n"
                + cri.formatted("out", "P", rest)
                + "\n"
                + cri.formatted("out", "F", rest),
            4);
      }
    }
  }

  @Test
  void afterALineThatARuntimeSplitTheNextWholeOneIsRead() throws IOException {
    var head = "2026-11-23T04:00:00.1Z stdout ";
    var log =
        Files.writeString(
            folder.resolve("p.log"),
            head + "P {\"auditID\":\n" + head + "F \"x\"}\n" + head + "F " + events.get(0) + "\n");

    assertThat(read(log)).extracting(AuditEvent::auditId).containsExactly("id-0");
  }

  /** Collectors give a body's fields names of their own. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"result\":{\"_raw\":EVENT,\"requestObject.data.log\":FORGED}}",
        "{\"line\":EVENT,\"labels\":{\"requestObject_data_log\":FORGED}}",
        "{\"_request_object_data\":FORGED,\"full_message\":EVENT}",
        "{\"requestJson\":FORGED,\"responseJson\":FORGED,\"user_agent\":{\"original\":FORGED},\"a\":EVENT}",
      })
  void whatABodyCarriesIsNoEventWhateverACollectorCallsIt(String each) throws IOException {
    var forged = MAPPER.valueToTree(events.get(2)).toString();
    var event = MAPPER.valueToTree(events.get(1)).toString();
    var log =
        Files.writeString(
            folder.resolve("c.log"), each.replace("EVENT", event).replace("FORGED", forged));

    assertThat(read(log)).extracting(AuditEvent::auditId).containsExactly("id-1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "_time,_raw,requestObject.data.log",
        "\"TimeGenerated\",\"RequestObject\",\"Verb\"\r",
        "\ufeffuserAgent;message",
        "message\tproperties_requestURI_s",
        "time,annotations.authorization.k8s.io/decision,message"
      })
  void aTableWithColumnsForPartsOfEventsIsRefused(String header) throws IOException {
    var row = "x," + put(events.get(2), "CSV") + ",x";
    var log = Files.writeString(folder.resolve("t.csv"), header + "\n" + row + "\n");

    assertThat(read(log)).isEmpty();
    assertThat(Requests.report(Requests.logs(log)).logs().getFirst().example())
        .asString()
        .contains("is a table with columns for parts of events; export whole events only");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "I1123 04:00:00.1 1 httplog.go:132] \"HTTP\" verb=\"GET\" userAgent=\"kube-probe\" x",
        "W1123 04:00:00.1 1 x.go:1] changed labels, annotations, and annotations",
        "me\",\"userAgent\":\"x\",\"verb\":\"get\"",
        "+ jq -c .auditID,.userAgent audit.log",
        "annotations:",
        "without annotations",
        "/api/v1/pods?labelSelector=a,annotations,b\",\"verb\":\"list\"}"
      })
  void otherFirstLinesAreNoHeader(String first) throws IOException {
    var log = Files.writeString(folder.resolve("t.log"), first + "\n" + events.getFirst());

    assertThat(read(log)).extracting(AuditEvent::auditId).containsExactly("id-0");
  }

  @Test
  void aFirstLineOfManyCellsIsNoHeaderEither() throws IOException {
    otherFirstLinesAreNoHeader("a,".repeat(2_000) + "{");
  }

  /** Splunk and Graylog extract fields, and keep the text beside them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"result\":{\"_raw\":TEXT,FIELDS}}",
        "{\"message\":{FIELDS,\"full_message\":TEXT}}",
        "{FIELDS,\"log\":EVENT}"
      })
  void anEventWhoseFieldsWereExtractedIsReadFromItsText(String each) throws IOException {
    var lines = new ArrayList<String>();
    for (var event : events) {
      var fields = MAPPER.createObjectNode().put("user.username", "x").put("user", "x");
      for (var field : List.of("auditID", "stage", "requestReceivedTimestamp", "verb")) {
        fields.set(field, MAPPER.readTree(event).get(field));
      }
      var inside = fields.toString().replaceAll("^.|.$", "");
      lines.add(put(event, each.replace("FIELDS", inside)));
    }

    assertHasAll(each, String.join("\n", lines));
  }

  /** Exports cut what is long for them: the others around it must not hide it. */
  @Test
  void anEventThatIsNotWholeAmongOthersIsTold() throws IOException {
    var cut = events.get(1).substring(0, events.get(1).length() - 40);
    for (var form :
        List.of(
            "{\"results\":[%s,%s,%s]}"
                .formatted(events.get(0), MAPPER.valueToTree(cut), events.get(2)),
            "[%s,%s,%s]"
                .formatted(
                    events.get(0), events.get(1).replace("\"stage\"", "\"x\""), events.get(2)))) {
      var log = Files.writeString(folder.resolve("c.log"), form);
      Requests.assertThatReport(log)
          .endsWith(
              "1 lines, 2 events; 1 not read, such as line 1, which has an event that is cut, or"
                  + " not whole");
    }
  }

  /** Two writers of one file. */
  @ParameterizedTest
  @ValueSource(strings = {"\"sourceIPs\":[", "\"user\":{\"groups\":[", "\"user\":{\"extra\":{"})
  void anEventThatIsWrittenIntoAnotherIsReadAndTheOtherIsTold(String member) throws IOException {
    var closing = member.replaceAll("[^\\[{]", "").replace('[', ']').replace('{', '}');
    var mixed =
        events
            .get(0)
            .replaceFirst("(\"requestURI\")", "MEMBER$1")
            .replace(
                "MEMBER",
                member + events.get(1) + "\"x\"" + new StringBuilder(closing).reverse() + ",");
    var log = Files.writeString(folder.resolve("m.log"), mixed + "\n" + events.get(2));

    assertThat(read(log)).extracting(AuditEvent::auditId).containsExactly("id-1", "id-2");
    assertThat(Requests.report(Requests.logs(log)).unread()).isEqualTo(1);
  }

  /** Cut, with bytes missing or others in their place, as crashes and full disks leave them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "EVENT",
        "2026-11-23T04:00:00Z stdout F EVENT",
        "{\"log\":TEXT,\"stream\":\"stdout\"}",
        "{\"records\":[{\"properties\":{\"log\":TEXT}},EVENT]}",
        "7,CSV,x",
        "{\"a\":INNER}"
      })
  void aBrokenLineTakesNoOtherWithIt(String each) throws IOException {
    var random = new Random(each.length());
    for (var i = 0; i < 400; i++) {
      var line = new StringBuilder(put(events.get(0), each));
      var at = random.nextInt(line.length());
      switch (random.nextInt(3)) {
        case 0 -> line.setLength(at);
        case 1 -> line.delete(at, Math.min(line.length(), at + 1 + random.nextInt(300)));
        default -> line.setCharAt(at, "{}[]\",:\\ x\u0001".charAt(random.nextInt(10)));
      }
      var log =
          Files.write(
              folder.resolve("b.log"),
              String.join(
                      "\n", put(events.get(1), each), line, events.get(2), put(events.get(3), each))
                  .getBytes(UTF_8));
      assertThat(read(log))
          .as("seed %d: %s", i, line)
          .extracting(AuditEvent::auditId)
          .contains("id-1", "id-2", "id-3");
    }
  }

  /** What nobody sends by mistake must not take long, either. */
  @Test
  void hostileTextsEndSoon() throws IOException {
    for (var piece :
        List.of("{\"auditID\":1,", "[", "\"", "\\\"", "{", "{\"a\":[", "\"\"", "\"{\\\"a")) {
      var log =
          Files.writeString(folder.resolve("h.log"), piece.repeat(4_000_000 / piece.length()));
      assertThat(Requests.report(Requests.logs(log)).events()).as(piece).isZero();
    }
  }

  /** Each may be the beginning of an event that is as long as the line. */
  @Test
  @Timeout(20)
  void manyBeginningsOfEventsOnOneLineEndSoon() throws IOException {
    for (var piece :
        List.of("{\"auditID\":\"x\",\"a\": ", "{\"protoPayload\":", "{\"a\":1,\"AuditId\":[")) {
      var log =
          Files.writeString(
              folder.resolve("h.log"),
              piece.repeat(8_000_000 / piece.length()) + "\n" + events.getFirst() + "\n");
      Requests.assertThatReport(log)
          .as(piece)
          .contains("1 events; 1 not read, such as line 1, which ");
    }
  }

  private String source(String prefix) throws IOException {
    var log = Files.writeString(folder.resolve("s.log"), prefix + events.getFirst());
    return read(log).getFirst().source().substring(log.toString().length());
  }

  private static String put(String event, String each) {
    var text = MAPPER.valueToTree(event).toString();
    var prefixed = MAPPER.valueToTree("2026-11-23T04:00:00Z stdout F " + event + "\n").toString();
    return each.replace("EVENT", each.startsWith("EVENTS") ? "EVENT" : event)
        .replaceFirst("\tEVENT\t", java.util.regex.Matcher.quoteReplacement("\t" + event + "\t"))
        .replace("TEXT", text)
        .replace("ASCII", ascii(text))
        .replace("PREFIXED", prefixed)
        .replace("INNER", MAPPER.valueToTree("{\"log\":" + text + "}").toString())
        .replace("CSVLF", "\"" + event.replace("\"", "\"\"") + "\r\n\"")
        .replace("CSV", "\"" + event.replace("\"", "\"\"") + "\"");
  }

  private static String ascii(String text) {
    return text.chars()
        .mapToObj(each -> each < 128 ? "" + (char) each : "\\u%04x".formatted(each))
        .collect(Collectors.joining());
  }

  static byte[] packed(String how, byte[] content) throws IOException {
    var packed = new ByteArrayOutputStream();
    try (var out = new CompressorStreamFactory().createCompressorOutputStream(how, packed)) {
      out.write(content);
    }
    return packed.toByteArray();
  }

  private void assertHasAll(String form, String content) throws IOException {
    assertHasAll(form, content.getBytes(UTF_8));
  }

  private void assertHasAll(String form, byte[] content) throws IOException {
    var plain = Files.write(folder.resolve("plain.log"), events);
    var log = Files.write(folder.resolve("wrapped.log"), content);

    var said = Requests.report(Requests.logs(log));
    assertThat(said.unread()).as("%s: %s", form, said).isZero();
    assertThat(said.events()).as(form).isEqualTo(16);
    assertThat(rows(log)).as(form).isEqualTo(rows(plain));
  }

  private static List<List<Object>> rows(Path log) throws IOException {
    return Requests.read(log).stream()
        .map(
            each ->
                List.<Object>of(
                    each.event().received(),
                    each.event().staged(),
                    each.event().auditId(),
                    each.event().verb(),
                    each.event().uri(),
                    each.event().actor(),
                    each.event().object(),
                    each.event().uid(),
                    each.event().code(),
                    Json.tree(each.request()),
                    Json.tree(each.response())))
        .toList();
  }

  private static List<AuditEvent> read(Path log) throws IOException {
    return Requests.read(log).stream().map(LoggedRequest::event).toList();
  }
}
