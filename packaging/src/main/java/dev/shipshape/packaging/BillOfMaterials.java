package dev.shipshape.packaging;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Properties;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.regex.Pattern;

/** The shipped components and their licences: CycloneDX 1.6, and the licences' texts. */
record BillOfMaterials(ObjectNode content) {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final Pattern TEXTS = Pattern.compile("META-INF/(license/)?(LICENSE|NOTICE)[^/]*");
  private static final Pattern PACKAGE =
      Pattern.compile("(?m)^\\w+ +([^_]+)_([^_]+)_(\\w+)\\.deb$");

  static BillOfMaterials read(Path libraries) throws IOException {
    return new BillOfMaterials((ObjectNode) JSON.readTree(libraries.toFile()));
  }

  /** Adds the trimmed JDK. */
  BillOfMaterials addRuntime(RuntimeFolder runtime) throws IOException {
    var release = new Properties();
    try (var text = Files.newBufferedReader(runtime.path().resolve("release"))) {
      release.load(text);
    }
    var version = release.getProperty("JAVA_VERSION", "").replace("\"", "");
    add("platform", "openjdk", version, "pkg:generic/openjdk@" + version)
        .put("cpe", "cpe:2.3:a:oracle:openjdk:%s:*:*:*:*:*:*:*".formatted(version))
        .putArray("licenses")
        .addObject()
        .put("expression", "GPL-2.0-only WITH Classpath-exception-2.0");
    return this;
  }

  /**
   * Adds Debian's packages.
   *
   * @param list the packages with their checksums, in sha256sum's form
   */
  BillOfMaterials addPackages(Path list) throws IOException {
    var packages = PACKAGE.matcher(Files.readString(list));
    while (packages.find()) {
      // %3a is a colon in the names of Debian's files.
      var version = packages.group(2).replace("%3a", ":");
      var name = packages.group(1);
      add(
          "library",
          name,
          version,
          "pkg:deb/debian/%s@%s?arch=%s&distro=debian-12"
              .formatted(
                  name,
                  URLEncoder.encode(version, StandardCharsets.UTF_8).replace("%7E", "~"),
                  packages.group(3)));
    }
    return this;
  }

  private ObjectNode add(String type, String name, String version, String url) {
    return content
        .withArray("components")
        .addObject()
        .put("type", type)
        .put("bom-ref", url)
        .put("name", name)
        .put("version", version)
        .put("purl", url);
  }

  /**
   * Writes it.
   *
   * @param type CycloneDX's: {@code application} or {@code container}
   */
  void write(String type, Path file) throws IOException {
    ((ObjectNode) content.at("/metadata/component")).put("type", type).put("name", "shipshape");
    JSON.writeValue(file.toFile(), content);
  }

  /** Returns the licence texts in the jars, each once, with the jars that have it. */
  static String notice(List<Path> jars) throws IOException {
    var notice =
        new StringBuilder(
            """
            What shipshape contains, and under which licences, is in its bill of materials (CycloneDX).
            The texts for openjdk are in its folder legal, those for Debian's packages in /usr/share/doc.
            The texts that the libraries bring:
            """);
    texts(jars)
        .forEach(
            (text, from) ->
                notice.append("%n---- %s%n%n%s%n".formatted(String.join(", ", from), text)));
    return notice.toString();
  }

  private static TreeMap<String, SequencedSet<String>> texts(List<Path> jars) throws IOException {
    var texts = new TreeMap<String, SequencedSet<String>>();
    for (var each : jars) {
      try (var jar = new JarFile(each.toFile())) {
        for (var entry :
            jar.stream().filter(file -> TEXTS.matcher(file.getName()).matches()).toList()) {
          try (var content = jar.getInputStream(entry)) {
            var text = new String(content.readAllBytes(), StandardCharsets.UTF_8).strip();
            texts
                .computeIfAbsent(text, _ -> new LinkedHashSet<>())
                .add(each.getFileName().toString());
          }
        }
      }
    }
    return texts;
  }
}
