package dev.shipshape.plugin.command;

import dev.shipshape.certs.Authority;
import dev.shipshape.certs.CertificateSource;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.Logging;
import dev.shipshape.webhook.WebhookServer;
import dev.shipshape.webhook.certificate.CertificateSettings;
import dev.shipshape.webhook.config.WebhookSettings;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(name = "webhook", description = "Run the admission webhook until SIGTERM.")
final class WebhookCommand implements Callable<Integer> {
  /** The certificate is in memory only, so it need not outlive the process. */
  private static final Duration LIFE = Duration.ofDays(365);

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--settings",
      paramLabel = "FILE",
      defaultValue = "webhook.yaml",
      description = "The settings file. Default: ${DEFAULT-VALUE}")
  private Path settings = Path.of("webhook.yaml");

  @Option(
      names = "--ca-bundle",
      paramLabel = "FILE",
      description =
          "Write the authority to trust, for the webhook configurations' caBundle, where"
              + " certificates.source is in-memory.")
  private @Nullable Path caBundle;

  @Option(names = "--check", description = "Only check the settings.")
  private boolean check;

  @Override
  public Integer call() throws BadSettings, InterruptedException {
    var checkedSettings = WebhookSettings.read(settings);
    if (check) {
      spec.commandLine().getOut().println(settings + " is good");
      return ExitCode.OK;
    }
    Logging.begin(settings);
    var asked = new CountDownLatch(1);
    try (var _ = new ShutdownSignal(asked::countDown, checkedSettings.maxDrain());
        var client = cluster.connect();
        var server = WebhookServer.start(checkedSettings, inMemory(checkedSettings), client)) {
      // A signal during the start has already been handled.
      if (asked.getCount() > 0) {
        asked.await();
        server.drain();
      }
    }
    return ExitCode.OK;
  }

  private @Nullable CertificateSource inMemory(WebhookSettings checked) {
    if (checked.certificates().source() != CertificateSettings.Source.IN_MEMORY) {
      return null;
    }
    var authority = Authority.create("shipshape-webhook", LIFE, Clock.systemUTC());
    var source =
        CertificateSource.inMemory(
            authority, "shipshape-webhook", List.of("localhost", "127.0.0.1"), LIFE);
    if (caBundle != null) {
      ReviewCommand.write(caBundle, source.current().bundle());
    }
    return source;
  }
}
