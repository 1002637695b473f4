package dev.shipshape.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A container image in one archive that containerd, Docker and Podman load: an OCI image layout
 * (image-spec 1.1) with Docker's manifest.json.
 *
 * @param architecture Go's name: {@code amd64}
 * @param layers the lowest first
 */
record Image(String architecture, List<Path> layers, List<String> command, String version) {
  /** {@code packaging/base/fill} names it. */
  private static final int USER = 65532;

  private static final String OCI = "application/vnd.oci.image.";

  private record Blob(String digest, long size) {
    String path() {
      return "blobs/sha256/" + digest;
    }

    String descriptor(String type, String more) {
      return """
      {"mediaType":"%s%s","digest":"sha256:%s","size":%d%s}\
      """
          .formatted(OCI, type, digest, size, more);
    }
  }

  /**
   * Writes the archive and returns the image's digest, which is its manifest's.
   *
   * @param work the folder for the layout
   */
  String write(Path work, Path archive) throws IOException, InterruptedException {
    FileTrees.empty(work);
    var unpacked = new ArrayList<String>();
    var packed = new ArrayList<Blob>();
    for (var layer : layers) {
      var tar = work.resolve("layer");
      TarArchive.write(layer, tar, List.of());
      unpacked.add("sha256:" + Digests.of(tar));
      BuildTool.run(work, List.of("gzip", "--no-name", "layer"));
      packed.add(blob(work, work.resolve("layer.gz")));
    }
    var config = blob(work, config(unpacked));
    var manifest = blob(work, manifest(config, packed));
    FileTrees.write(work.resolve("oci-layout"), "{\"imageLayoutVersion\":\"1.0.0\"}");
    FileTrees.write(work.resolve("index.json"), index(manifest));
    FileTrees.write(work.resolve("manifest.json"), dockerManifest(config, packed));
    FileTrees.setModes(work);
    TarArchive.write(work, archive, List.of());
    return "sha256:" + manifest.digest();
  }

  private static Blob blob(Path work, String text) throws IOException, InterruptedException {
    return blob(work, Files.writeString(work.resolve("text"), text));
  }

  private static Blob blob(Path work, Path file) throws IOException, InterruptedException {
    var blob = new Blob(Digests.of(file), Files.size(file));
    Files.createDirectories(work.resolve("blobs/sha256"));
    Files.move(file, work.resolve(blob.path()));
    return blob;
  }

  private String config(List<String> unpacked) {
    // MALLOC_ARENA_MAX: otherwise the C library keeps a heap for each of many threads.
    return """
    {"architecture":"%1$s","os":"linux","created":"%2$s",\
    "config":{"User":"%3$d:%3$d","Entrypoint":%4$s,"Env":["MALLOC_ARENA_MAX=1"],"WorkingDir":"/",\
    "Labels":{"org.opencontainers.image.licenses":"Apache-2.0",\
    "org.opencontainers.image.title":"shipshape","org.opencontainers.image.version":"%5$s"}},\
    "rootfs":{"type":"layers","diff_ids":%6$s}}\
    """
        .formatted(
            architecture,
            Reproducible.TIME,
            USER,
            strings(command.stream()),
            version,
            strings(unpacked.stream()));
  }

  private static String manifest(Blob config, List<Blob> packed) {
    return """
    {"schemaVersion":2,"mediaType":"%smanifest.v1+json","config":%s,"layers":[%s]}\
    """
        .formatted(
            OCI,
            config.descriptor("config.v1+json", ""),
            packed.stream()
                .map(each -> each.descriptor("layer.v1.tar+gzip", ""))
                .collect(Collectors.joining(",")));
  }

  private String index(Blob manifest) {
    var more =
        """
        ,"platform":{"architecture":"%1$s","os":"linux"},\
        "annotations":{"io.containerd.image.name":"docker.io/library/shipshape:%2$s",\
        "org.opencontainers.image.ref.name":"%2$s"}\
        """
            .formatted(architecture, version);
    return """
    {"schemaVersion":2,"mediaType":"%sindex.v1+json","manifests":[%s]}\
    """
        .formatted(OCI, manifest.descriptor("manifest.v1+json", more));
  }

  private String dockerManifest(Blob config, List<Blob> packed) {
    return """
    [{"Config":"%s","RepoTags":["shipshape:%s"],"Layers":%s}]\
    """
        .formatted(config.path(), version, strings(packed.stream().map(Blob::path)));
  }

  /** Formats a list of strings without characters that JSON would escape. */
  private static String strings(Stream<String> strings) {
    return strings.collect(Collectors.joining("\",\"", "[\"", "\"]"));
  }
}
