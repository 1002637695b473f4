package dev.shipshape.packaging;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/**
 * A container image as one archive that containerd, Docker and Podman load: an OCI image layout
 * (image-spec 1.1) with Docker's manifest.json beside it.
 *
 * @param name such as {@code shipshape:0.1.0}
 * @param architecture as Go names it: {@code amd64}
 * @param layers the lowest first
 */
record Image(
    String name, String architecture, List<Layer> layers, List<String> command, String version) {
  private static final String OCI = "application/vnd.oci.image.";

  /** Keys in order: Java's immutable maps have another order in every run. */
  private static final ObjectMapper json =
      JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();

  /** One layer and what the image's history says of it. */
  record Layer(String what, List<Item> items) {}

  @SuppressWarnings("ArrayRecordComponent") // Written once, never compared.
  private record Packed(byte[] bytes, String digest, String unpackedDigest) {}

  /** Writes the archive and returns the image's digest, that of its manifest. */
  String write(Path archive) throws IOException {
    var packed = new ArrayList<Packed>();
    for (var layer : layers) {
      packed.add(pack(layer));
    }
    var blobs = new LinkedHashMap<String, byte[]>();
    packed.forEach(each -> blobs.put(each.digest(), each.bytes()));
    var config = bytes(config(packed));
    blobs.put(Digests.of(config), config);
    var manifest = bytes(manifest(packed, config));
    var digest = Digests.of(manifest);
    blobs.put(digest, manifest);
    try (var out = Files.newOutputStream(archive)) {
      Tar.write(out, entries(blobs, manifest, packed, config));
    }
    return "sha256:" + digest;
  }

  private static Packed pack(Layer layer) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var packed = Digests.sha256();
    var unpacked = Digests.sha256();
    try (OutputStream out =
        new DigestOutputStream(
            new GZIPOutputStream(new DigestOutputStream(bytes, packed)), unpacked)) {
      Tar.write(out, layer.items());
    }
    return new Packed(
        bytes.toByteArray(),
        Digests.hexadecimal(packed.digest()),
        Digests.hexadecimal(unpacked.digest()));
  }

  private Map<String, Object> config(List<Packed> packed) {
    var created = Reproducible.TIME.toString();
    return Map.of(
        "architecture",
        architecture,
        "os",
        "linux",
        "created",
        created,
        "config",
        Map.of(
            "User",
            BaseLayer.USER + ":" + BaseLayer.USER,
            "Entrypoint",
            command,
            // The C library would keep a heap for each of many threads.
            "Env",
            List.of("MALLOC_ARENA_MAX=2"),
            "WorkingDir",
            "/",
            "Labels",
            Map.of(
                "org.opencontainers.image.title", "shipshape",
                "org.opencontainers.image.version", version,
                "org.opencontainers.image.licenses", "Apache-2.0")),
        "rootfs",
        Map.of(
            "type",
            "layers",
            "diff_ids",
            packed.stream().map(each -> "sha256:" + each.unpackedDigest()).toList()),
        "history",
        layers.stream().map(each -> Map.of("created", created, "comment", each.what())).toList());
  }

  private static Map<String, Object> manifest(List<Packed> packed, byte[] config) {
    return Map.of(
        "schemaVersion",
        2,
        "mediaType",
        OCI + "manifest.v1+json",
        "config",
        descriptor("config.v1+json", config),
        "layers",
        packed.stream().map(each -> descriptor("layer.v1.tar+gzip", each.bytes())).toList());
  }

  private static Map<String, Object> descriptor(String type, byte[] content) {
    return Map.of(
        "mediaType", OCI + type,
        "digest", "sha256:" + Digests.of(content),
        "size", content.length);
  }

  private List<Item> entries(
      Map<String, byte[]> blobs, byte[] manifest, List<Packed> packed, byte[] config) {
    var items = new ArrayList<Item>();
    items.add(new Item.Text("oci-layout", "{\"imageLayoutVersion\":\"1.0.0\"}"));
    items.add(new Item.Text("index.json", text(index(manifest))));
    items.add(new Item.Text("manifest.json", text(dockerManifest(packed, config))));
    for (var blob : blobs.entrySet()) {
      items.add(new Item.Bytes("blobs/sha256/" + blob.getKey(), blob.getValue()));
    }
    return items;
  }

  private Map<String, Object> index(byte[] manifest) {
    var described = new LinkedHashMap<>(descriptor("manifest.v1+json", manifest));
    described.put("platform", Map.of("architecture", architecture, "os", "linux"));
    described.put(
        "annotations",
        Map.of(
            "io.containerd.image.name",
            "docker.io/library/" + name,
            "org.opencontainers.image.ref.name",
            version));
    return Map.of(
        "schemaVersion", 2, "mediaType", OCI + "index.v1+json", "manifests", List.of(described));
  }

  private List<Map<String, Object>> dockerManifest(List<Packed> packed, byte[] config) {
    return List.of(
        Map.of(
            "Config",
            "blobs/sha256/" + Digests.of(config),
            "RepoTags",
            List.of(name),
            "Layers",
            packed.stream().map(each -> "blobs/sha256/" + each.digest()).toList()));
  }

  private static byte[] bytes(Object value) {
    return text(value).getBytes(StandardCharsets.UTF_8);
  }

  private static String text(Object value) {
    try {
      return json.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("maps, lists, strings and numbers become JSON", e);
    }
  }
}
