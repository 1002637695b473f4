package dev.shipshape.sandbox.junit;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.SandboxException;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
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
    var request =
        HttpRequest.newBuilder(controlPlane.server().resolve("/api/v1/namespaces"))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"metadata\": {\"name\": \"%s\"}}".formatted(name)))
            .build();
    try (var client = controlPlane.adminHttpClient()) {
      var response = client.send(request, BodyHandlers.ofString());
      if (response.statusCode() != 201) {
        throw new SandboxException(
            "could not create namespace %s: %s".formatted(name, response.body()));
      }
      return name;
    } catch (IOException | InterruptedException e) {
      throw new SandboxException("could not reach the API server for " + request, e);
    }
  }
}
