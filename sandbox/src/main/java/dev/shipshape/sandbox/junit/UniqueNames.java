package dev.shipshape.sandbox.junit;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.SandboxException;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/** Creates names that no other test on the same control plane uses. */
public final class UniqueNames {
  private final ControlPlane controlPlane;

  UniqueNames(ControlPlane controlPlane) {
    this.controlPlane = controlPlane;
  }

  /** Returns the prefix, a hyphen and eight random hex digits: a DNS label if the prefix is one. */
  public String name(String prefix) {
    return prefix + "-" + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
  }

  /**
   * Creates a namespace, which is not deleted.
   *
   * @return its name, as {@link #name}
   */
  public String namespace(String prefix) {
    var name = name(prefix);
    var manifest =
        """
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "%s"}}
        """
            .formatted(name);
    var response = post("/api/v1/namespaces", manifest);
    if (response.statusCode() != 201) {
      throw new SandboxException(
          "could not create namespace %s: %s".formatted(name, response.body()));
    }
    return name;
  }

  private HttpResponse<String> post(String path, String json) {
    var request =
        HttpRequest.newBuilder(controlPlane.server().resolve(path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json))
            .build();
    try (var client = controlPlane.adminHttpClient()) {
      return client.send(request, BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new SandboxException("could not reach the API server for " + request, e);
    }
  }
}
