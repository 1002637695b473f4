package dev.shipshape.janitor;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** One check of the operator in a process of its own, which ends at the request that restarts. */
final class JanitorProcess {
  private static final int KILLED = 137;

  private JanitorProcess() {}

  /**
   * Runs the check.
   *
   * @param arguments the kubeconfig, the namespace, the log, the time, when to die (before, after),
   *     the user agent, the address of the logs
   */
  public static void main(String[] arguments) throws Exception {
    var config =
        new ConfigBuilder(Config.fromKubeconfig(Files.readString(Path.of(arguments[0]))))
            .withClientKeyAlgo("EC")
            .withHttp2Disable(true)
            .withNamespace(arguments[1])
            .withUserAgent(arguments[5])
            .build();
    var settings = TestOperatorJob.settings(arguments[1], "", "", "clockTolerance: 100w");
    var now = Instant.parse(arguments[3]);
    Consumer<String> records = System.out::println;
    var time = new AtomicReference<>(now);
    try (var client =
            new KubernetesClientBuilder()
                .withConfig(config)
                .withHttpClientBuilderConsumer(
                    http -> {
                      http.addOrReplaceInterceptor("death", new Sudden(arguments[4]));
                      http.addOrReplaceInterceptor(
                          "logs", new LogServer.Redirect(URI.create(arguments[6])));
                    })
                .build();
        var care = TestOperatorJob.of(settings, client, time::get, records)) {
      var log = new OperatorLogFile(Path.of(arguments[2]));
      log.stuckAt(now);
      care.check();
      time.set(now.plusSeconds(2));
      log.stuckAt(now.plusSeconds(2));
      care.check();
    }
  }

  /** No shutdown hook runs, nothing is closed: as by SIGKILL. */
  private record Sudden(String moment) implements Interceptor {
    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
      die("before", request);
    }

    @Override
    public void after(
        HttpRequest request,
        HttpResponse<?> response,
        AsyncBody.Consumer<List<ByteBuffer>> consumer) {
      die("after", request);
    }

    private void die(String now, HttpRequest request) {
      if (moment.equals(now)
          && request.method().equals("PATCH")
          && request.uri().getPath().contains("/deployments/")) {
        Runtime.getRuntime().halt(KILLED);
      }
    }
  }
}
