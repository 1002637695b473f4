package dev.shipshape.plugin.command;

import dev.shipshape.janitor.JanitorSettings;
import dev.shipshape.janitor.session.Source;
import dev.shipshape.plugin.release.Preflight;
import dev.shipshape.plugin.release.ReleaseSettings;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.StartFailure;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The janitor's settings that a command uses: the release's, or those in a file. */
final class JanitorOptions {
  @Mixin private final NamespaceOption namespace = new NamespaceOption();

  @Option(
      names = "--settings",
      paramLabel = "FILE",
      description = "The janitor's settings file. Default: the settings of the release.")
  private @Nullable Path settings;

  /** Reads the file, or the release's settings. */
  JanitorSettings settings(KubernetesClient client) throws BadSettings {
    var read =
        settings == null
            ? ReleaseSettings.requireJanitor(client, namespace.value())
            : JanitorSettings.read(settings);
    var address = read.rest().address();
    if (read.source() == Source.CUSTOM_RESOURCES || isKnownHere(address.getHost())) {
      return read;
    }
    if (read.source() != Source.AUTO || !Preflight.hasSessions(client)) {
      throw new StartFailure(
          "the CFS service has the address %s, which is not known on this machine, for it is inside the cluster: forward a port to it (kubectl -n %s port-forward service/%s 8088:80) and give --settings FILE with sessions: {rest: {address: \"http://localhost:8088\"}}"
              .formatted(
                  address, read.sessionsNamespace(), address.getHost().replaceFirst("\\..*", "")));
    }
    System.err.printf(
        "only custom resources are looked at: the CFS service %s, which the janitor asks too, is"
            + " not known on this machine (sessions.source=custom-resources leaves it out)%n",
        address);
    return read.withSource(Source.CUSTOM_RESOURCES);
  }

  private static boolean isKnownHere(String host) {
    try {
      return InetAddress.getByName(host) != null;
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
