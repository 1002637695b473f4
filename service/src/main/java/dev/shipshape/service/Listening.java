package dev.shipshape.service;

import io.vertx.core.Future;
import io.vertx.core.http.HttpServer;
import java.util.concurrent.CompletionException;

/** Waits for a server to listen and turns a taken port into one clear line. */
public final class Listening {
  private Listening() {}

  /**
   * Waits until the server listens.
   *
   * @param what the server and the setting that names its port, such as {@code "management
   *     (management.port)"}
   * @throws StartFailure where the address cannot be bound
   */
  public static HttpServer await(Future<HttpServer> listening, String what, String host, int port) {
    try {
      return listening.toCompletionStage().toCompletableFuture().join();
    } catch (CompletionException e) {
      var cause = e.getCause() == null ? e : e.getCause();
      throw new StartFailure(
          "could not listen on %s:%d for %s: %s".formatted(host, port, what, cause.getMessage()),
          cause);
    }
  }
}
