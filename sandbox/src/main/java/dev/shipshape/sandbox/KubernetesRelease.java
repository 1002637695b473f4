package dev.shipshape.sandbox;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * The official release: archives whose checksums we know. It is pinned at the newest patches whose
 * published checksums we could verify, which are older than what {@link GoBuild} makes.
 */
record KubernetesRelease(String version, List<Archive> archives) {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  /**
   * One archive.
   *
   * @param address where it is, a {@code .tar.gz}
   * @param algorithm of the checksum, as Java names it
   * @param checksum of the whole file, in hex
   * @param folder where in the archive the programs are
   * @param programs what is taken from it
   */
  record Archive(
      URI address, String algorithm, String checksum, String folder, List<Component> programs) {}

  /** For this machine; without archives where there is none. */
  static KubernetesRelease official() {
    // Checksums: CHANGELOG-1.36.md of kubernetes/kubernetes; of etcd, checksums.yml of
    // kubernetes-sigs/kubespray, which has none of 3.6 yet.
    return switch (System.getProperty("os.name") + " " + System.getProperty("os.arch")) {
      case "Linux amd64" ->
          official(
              "amd64",
              "1c64da92575451c2c7ff97c79b772e603995f8e76da1371a6b0746aaa27b65dc"
                  + "e81c4d734cbb50f40e71486a8e08df36f14e12974f97d4d29e41f23a172a6a25",
              "0aad9a9e4e0817a021e933f9806a2b2960a62f949ad5a3d6436d8886945cb1bc");
      case "Linux aarch64" ->
          official(
              "arm64",
              "7f95e451baedd9368a2fa637afa84c9ed1b958736540ca27a379e5e292e1a10c"
                  + "5d9a29539f833047574bf5d3b6f907f32dee5735acecc11aa4686f078108dcf8",
              "1277309f540c5a0329c428f95455c9f76d24f768c8d28fd2753e891c379053fa");
      default -> new KubernetesRelease("1.36.0", List.of());
    };
  }

  private static KubernetesRelease official(
      String architecture, String kubernetesChecksum, String etcdChecksum) {
    var kubernetes =
        "https://dl.k8s.io/v1.36.0/kubernetes-server-linux-%s.tar.gz".formatted(architecture);
    var etcd = "etcd-v3.5.27-linux-" + architecture;
    return new KubernetesRelease(
        "1.36.0",
        List.of(
            new Archive(
                URI.create(kubernetes),
                "SHA-512",
                kubernetesChecksum,
                "kubernetes/server/bin",
                List.of(Component.KUBE_APISERVER, Component.KUBE_CONTROLLER_MANAGER)),
            new Archive(
                URI.create(
                    "https://github.com/etcd-io/etcd/releases/download/v3.5.27/%s.tar.gz"
                        .formatted(etcd)),
                "SHA-256",
                etcdChecksum,
                etcd,
                List.of(Component.ETCD))));
  }

  /**
   * Puts the programs into an empty folder.
   *
   * @throws SandboxException saying why it could not be done
   */
  void get(Path folder, Progress progress) {
    if (archives.isEmpty()) {
      throw new SandboxException(
          "it is for Linux on amd64 and arm64, not for %s on %s"
              .formatted(System.getProperty("os.name"), System.getProperty("os.arch")));
    }
    for (var archive : archives) {
      progress.report("downloading %s; this takes minutes".formatted(archive.address()));
      var file = folder.resolve("archive.tar.gz");
      download(archive, file);
      verify(archive, file);
      extract(archive, file, folder);
      StateFolder.remove(file);
    }
  }

  private static void download(Archive archive, Path file) {
    var request = HttpRequest.newBuilder(archive.address()).timeout(TIMEOUT).build();
    try (var client =
        HttpClient.newBuilder()
            .connectTimeout(TIMEOUT)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build()) {
      var answer = client.send(request, BodyHandlers.ofFile(file));
      if (answer.statusCode() != 200) {
        throw new IOException("the server answered " + answer.statusCode());
      }
    } catch (IOException e) {
      throw new SandboxException("could not download %s: %s".formatted(archive.address(), e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SandboxException("interrupted while downloading " + archive.address(), e);
    }
  }

  private static void verify(Archive archive, Path file) {
    try {
      var digest = MessageDigest.getInstance(archive.algorithm());
      var actual = HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
      if (!actual.equals(archive.checksum())) {
        throw new SandboxException(
            "%s is not what was released, and was thrown away: its %s is %s, not %s"
                .formatted(archive.address(), archive.algorithm(), actual, archive.checksum()));
      }
    } catch (IOException | GeneralSecurityException e) {
      throw new SandboxException("could not verify " + archive.address(), e);
    }
  }

  private static void extract(Archive archive, Path file, Path folder) {
    var depth = Path.of(archive.folder()).getNameCount();
    var command = new ArrayList<String>();
    command.addAll(List.of("tar", "-xzf", file.toString(), "--strip-components=" + depth));
    archive.programs().forEach(each -> command.add(archive.folder() + "/" + each.fileName()));
    var log = folder.resolve("tar.log");
    try (var tar = GuardedProcess.start(command, folder, Map.of(), log)) {
      tar.awaitSuccess();
    }
    StateFolder.remove(log);
  }
}
