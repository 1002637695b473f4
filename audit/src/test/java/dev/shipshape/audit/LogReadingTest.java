package dev.shipshape.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shipshape.sandbox.junit.Promise;
import io.airlift.compress.zstd.ZstdCompressor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LogReadingTest {
  private static final String NAME = "pods/shop/web-0";

  @TempDir private Path folder = Path.of("");

  @Promise(
      value = "A broken line of a log is reported, and hides no other line.",
      breaks = "Skipping to the next line that parses.")
  @Test
  void namesLinesThatAreBrokenAndReadsAllOthers() throws IOException {
    var lines = new ArrayList<>(requests(4).lines());
    var cut = lines.get(1).substring(0, 200);
    lines.set(1, cut);
    lines.add(2, cut + lines.get(2));
    lines.add(3, "Flag --audit-log-path has been deprecated");
    lines.add(4, "{\"kind\":\"Pod\"}");
    lines.add(5, "");
    var log = Files.write(folder.resolve("audit.log"), lines);

    Requests.assertThatReport(log)
        .isEqualTo(log + ": 8 lines, 3 events; 4 not read, such as line 2, which is cut");
    assertThat(Requests.auditIds(Requests.logs(log))).containsExactly("id-0", "id-2", "id-3");
  }

  @Test
  void aLastLineThatIsCutIsNamed() throws IOException {
    var text = String.join("\n", requests(3).lines());
    var log = Files.writeString(folder.resolve("audit.log"), text.substring(0, text.length() - 9));

    Requests.assertThatReport(log)
        .isEqualTo(log + ": 3 lines, 2 events; 1 not read, such as line 3, which is cut");
    assertThat(Requests.auditIds(Requests.logs(log))).containsExactly("id-0", "id-1");
  }

  @Test
  void linesAreReadWhateverTheirLength() throws IOException {
    var requests = requests(1);
    for (var size : List.of(70_000, 300_000, 9_000_000, 40_000_000)) {
      big(requests, size);
    }
    requests.request("a", "get", NAME, 200);
    var log = requests.write(folder.resolve("audit.log"));

    assertThat(Requests.report(Requests.logs(log)).unread()).isZero();
    assertThat(Requests.auditIds(Requests.logs(log))).hasSize(6);
  }

  /** The finder marks so what it has shortened; a log may have anything. */
  @Test
  void aMarkOfOursThatIsInTheLogStopsNothing() throws IOException {
    var requests = requests(1);
    requests.last().put("shipshape.dev/shortened", "x");
    var log = requests.write(folder.resolve("audit.log"));

    assertThat(Top.of(Requests.logs(log), EventFilter.ALL, Top.By.VERB).rows())
        .singleElement()
        .extracting(Top.Row::bytes)
        .isEqualTo((long) requests.lines().getFirst().length());
  }

  @Test
  void aLongLineThatIsBrokenIsNamed() throws IOException {
    var requests = requests(1);
    big(requests, 40_000_000);
    var lines = new ArrayList<>(requests.lines());
    lines.set(1, lines.get(1).replace("\"requestReceived", "requestReceived"));
    lines.addAll(requests.lines().subList(0, 1));
    var log = Files.write(folder.resolve("audit.log"), lines);

    Requests.assertThatReport(log)
        .isEqualTo(log + ": 3 lines, 2 events; 1 not read, such as line 2, which is no JSON");
  }

  @Test
  void filesPackedAndPlainFoldersAndStandardInputAreOneLog() throws IOException {
    var lines = requests(6).lines();
    var below = Files.createDirectories(folder.resolve("server/old"));
    Files.write(below.resolve("audit-1.log.gz"), packed(lines.subList(2, 4)));
    Files.write(folder.resolve("server/audit.log"), lines.subList(0, 2));
    Files.writeString(folder.resolve("server/.hidden"), "nothing of ours");
    var hidden = Files.createDirectories(folder.resolve("server/.trash"));
    Files.writeString(hidden.resolve("audit.log"), "nothing of ours");
    var file = Files.write(folder.resolve("other.log"), lines.subList(4, 5));

    var logs =
        Requests.logs(lines.get(5), "-", folder.resolve("server").toString(), file.toString());

    assertThat(Requests.auditIds(logs))
        .containsExactly("id-0", "id-1", "id-2", "id-3", "id-4", "id-5");
  }

  @Test
  void anEventOverSeveralLinesMayBeLongToo() throws IOException {
    var requests = new Requests();
    big(requests, 40_000_000);
    var log = Files.writeString(folder.resolve("audit.json"), requests.last().toPrettyString());

    assertThat(Requests.report(Requests.logs(log)).unread()).isZero();
    assertThat(Requests.auditIds(Requests.logs(log))).containsExactly("id-0");
  }

  @Test
  void aSmallPackedFileThatIsCutIsReadAsFarAsItGoes() throws IOException {
    var packed = packed(requests(30).lines());
    var log =
        Files.write(folder.resolve("audit.log.gz"), Arrays.copyOf(packed, packed.length - 20));

    var report = Requests.report(Requests.logs(log));

    assertThat(report.events()).isPositive();
    assertThat(report.logs()).singleElement().asString().contains("cannot be read from here on");
  }

  @Test
  void aPackedFileWhoseSumIsWrongIsReadAllTheSame() throws IOException {
    var packed = packed(requests(3).lines());
    packed[packed.length - 8] ^= 1;
    var log = Files.write(folder.resolve("audit.log.gz"), packed);

    var report = Requests.report(Requests.logs(log));

    assertThat(report.events()).isEqualTo(3);
    assertThat(report.logs()).singleElement().asString().contains("cannot be read from here on");
  }

  @Promise(
      value = "An audit log that cannot be read to its end is named.",
      breaks = "Taking the end of the first part of a packed file for the end of the log.")
  @ParameterizedTest
  @MethodSource("brokenFiles")
  void whatFollowsTheReadablePartOfAPackedFileIsNotPassedOver(byte[] content) throws IOException {
    var log = Files.write(folder.resolve("audit.packed"), content);

    assertThat(Requests.report(Requests.logs(log)).logs())
        .anyMatch(each -> each.toString().contains("cannot be read from here on"));
  }

  static List<byte[]> brokenFiles() throws IOException {
    var lines = requests(30).lines();
    var text = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    var tar = tar(text);
    var zstd = new byte[2 * text.length];
    var length = new ZstdCompressor().compress(text, 0, text.length, zstd, 0, zstd.length);
    return List.of(
        joined(packed(lines), text),
        joined(packed(lines), joined(new byte[600], packed(lines))),
        joined(tar, tar),
        joined(zip(text), zip(text)),
        packed(joined(tar, tar)),
        Arrays.copyOf(packed(tar), packed(tar).length - 100),
        Arrays.copyOf(packed(tar), packed(tar).length - 4),
        joined(Arrays.copyOf(zstd, length), text));
  }

  @Test
  void zerosBehindAPackedFileFillABlock() throws IOException {
    var content = joined(packed(requests(3).lines()), new byte[700]);
    var log = Files.write(folder.resolve("audit.packed"), content);

    Requests.assertThatReport(log).endsWith("3 lines, 3 events");
  }

  /** One event, packed by {@code xz -9}. To pack takes ten times the memory. */
  @Test
  void whatIsPackedByTheHighestPresetIsRead() throws IOException {
    var packed =
        """
        /Td6WFoAAATm1rRGAgAhARwAAAAQz1jM4AB3AG1dAD2IiCeTj9WvbSZwuI8FdxAW/4yQY10YaRbCgPKTLffJXXmkWGj8
        Ba1sBLZmNLWYniGfmunKkYjS0tOMw2O42lJQVFu1uIKrIrv10yOqozWoVeJytxjxl0hoN8CCChWHTB2/ngmyqWj9UWm+
        AAAAAAAAbLeSS/imayIAAYkBeAAAAA4wAWmxxGf7AgAAAAAEWVo=
        """;
    var log = Files.write(folder.resolve("audit.log.xz"), Base64.getMimeDecoder().decode(packed));

    assertThat(Requests.auditIds(Requests.logs(log))).containsExactly("id-0");
  }

  @Test
  void aZipWithACommentIsReadToItsEnd() throws IOException {
    var content = (String.join("\n", requests(3).lines()) + "\n").getBytes(StandardCharsets.UTF_8);
    var log = Files.write(folder.resolve("audit.zip"), zip(content));

    Requests.assertThatReport(log).endsWith("3 lines, 3 events");
  }

  private static byte[] zip(byte[] content) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new ZipOutputStream(bytes)) {
      out.putNextEntry(new ZipEntry("audit.log"));
      out.write(content);
      out.closeEntry();
      out.setComment("a comment");
    }
    return bytes.toByteArray();
  }

  private static byte[] tar(byte[] content) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new TarArchiveOutputStream(bytes)) {
      var entry = new TarArchiveEntry("audit.log");
      entry.setSize(content.length);
      out.putArchiveEntry(entry);
      out.write(content);
      out.closeArchiveEntry();
    }
    return bytes.toByteArray();
  }

  private static byte[] joined(byte[] first, byte[] second) {
    var both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  @Test
  void whatIsNotReadIsNotQuotedAsItMayBeSecret() throws IOException {
    var log =
        Files.writeString(
            folder.resolve("audit.log"),
            "    \"password\": \"aHVudGVyMg==\",\n" + requests(1).lines().getFirst());

    Requests.assertThatReport(log)
        .endsWith(
            "1 not read, such as line 1, which is the end of a value whose beginning is missing");
  }

  @Test
  void aPipeIsReadOnceAndWhole() throws Exception {
    var pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    var lines = requests(3).lines();
    var writer =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    Files.write(pipe, packed(lines));
                  } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                  }
                });

    assertThat(Requests.auditIds(Requests.logs(pipe))).containsExactly("id-0", "id-1", "id-2");
    writer.join();
  }

  @Test
  void timesThatAreNoneAreNamed() throws IOException {
    var lines = requests(2).lines();
    for (var none : List.of("2026-11-23T25:00:01", "+999999999-12-31T04:00:01")) {
      var log =
          Files.write(
              folder.resolve("audit.log"),
              List.of(lines.get(0), lines.get(1).replace("2026-11-23T04:00:01", none)));

      assertThat(Requests.report(Requests.logs(log)).unread()).as(none).isEqualTo(1);
    }
  }

  @Promise(value = "An event in two files counts once.", breaks = "Merging by file.")
  @Test
  void whatIsThereTwiceCountsOnce() throws IOException {
    var log = requests(5).write(folder.resolve("audit.log"));
    var copy = Files.copy(log, folder.resolve("copy.log"));

    assertThat(Requests.auditIds(Requests.logs(log, copy))).hasSize(5);
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> Requests.report(Requests.logs(folder.resolve("none.log"))))
        .isInstanceOf(UnreadableLog.class)
        .hasMessage("could not read %s: there is no such file", folder.resolve("none.log"));
  }

  private static Requests requests(int count) {
    var requests = new Requests();
    for (var i = 0; i < count; i++) {
      requests.request("kubernetes-admin", "get", NAME, 200);
    }
    return requests;
  }

  /** A request with a body of this many bytes. */
  private static void big(Requests requests, int size) {
    var body = "{\"x\":\"" + "y".repeat(size) + "\"}";
    requests.request("a", "update", "configmaps/shop/big", 200, body, null);
  }

  private static byte[] packed(List<String> lines) throws IOException {
    return packed((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] packed(byte[] content) throws IOException {
    return WrappersTest.packed("gz", content);
  }
}
