package dev.shipshape.janitor;

import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.prune.AuditLog;
import dev.shipshape.janitor.prune.Pruner;
import dev.shipshape.janitor.prune.SessionArchive;
import dev.shipshape.janitor.restart.OperatorSettings;
import dev.shipshape.janitor.restart.RestartSettings;
import dev.shipshape.janitor.session.RestEndpoint;
import dev.shipshape.janitor.session.RestService;
import dev.shipshape.janitor.session.SessionDetector;
import dev.shipshape.janitor.session.SessionList;
import dev.shipshape.janitor.session.Source;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.Section;
import dev.shipshape.service.SettingsReader;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The janitor's settings, from {@code janitor.yaml}: see docs/reference/settings.md. By default it
 * only reports.
 */
public record JanitorSettings(
    String sessionsNamespace,
    Source source,
    RestEndpoint rest,
    PruneSettings prune,
    RestartSettings restart,
    List<OperatorSettings> operators,
    int managementPort) {
  /** Checks whether restarts are armed for any operator. */
  public boolean restartArmed() {
    return operators.stream().anyMatch(OperatorSettings::armed);
  }

  /** Returns a lister of the sessions, which detects their store. */
  public Supplier<SessionList> sessions(KubernetesClient client) {
    return new SessionDetector(client, new RestService(rest), source, sessionsNamespace)::list;
  }

  /**
   * Returns a pruner of these sessions. It needs no Lease, not even if it runs beside a janitor:
   * each deletion has preconditions, and a session that the janitor deletes first is reported as
   * already gone.
   *
   * @param archive null for none
   * @param cancellation stops a run between two objects
   */
  public Pruner pruner(
      KubernetesClient client,
      Supplier<SessionList> sessions,
      PruneSettings.@Nullable Archive archive,
      InstantSource clock,
      AuditLog audit,
      CancellationToken cancellation) {
    return new Pruner(
        sessions,
        client,
        sessionsNamespace,
        prune.policy(),
        prune.throughput(),
        archive == null
            ? null
            : new SessionArchive(
                archive.folder(), archive.maxBytes(), client, sessionsNamespace, clock),
        audit,
        cancellation,
        clock);
  }

  /** Differs from the webhook's: both run in one pod. */
  public static final int DEFAULT_MANAGEMENT_PORT = 8081;

  /** Reads a file; the exception has every mistake, by file, line and field. */
  public static JanitorSettings read(Path file) throws BadSettings {
    return SettingsReader.read(file, JanitorSettings::from);
  }

  /**
   * Reads the management port, even if the rest of the file is invalid: probes and metrics must
   * work, above all then.
   */
  public static int managementPortOf(Path file) {
    return SettingsReader.readPart(file, JanitorSettings::managementPort)
        .orElse(DEFAULT_MANAGEMENT_PORT);
  }

  private static int managementPort(Section top) {
    return top.section("management").integer("port", DEFAULT_MANAGEMENT_PORT, 0, 65_535);
  }

  /** Reads a text that messages call {@code file}; the exception has every mistake in it. */
  public static JanitorSettings parse(String file, String yaml) throws BadSettings {
    return SettingsReader.parse(file, yaml, JanitorSettings::from);
  }

  static JanitorSettings from(Section top) {
    var sessions = top.section("sessions");
    var sessionsNamespace = name(sessions, "namespace", "services");
    var prune = PruneSettings.read(top.section("prune"));
    var restart = top.section("restart");
    var operators =
        OperatorSection.read(top, restart, sessionsNamespace, prune.policy().clockTolerance());
    return new JanitorSettings(
        sessionsNamespace,
        sessions.choice("source", Source.AUTO),
        // The service is in the namespace of its sessions; from another, its DNS name needs that.
        endpoint(
            sessions.section("rest"),
            "address",
            URI.create("http://cray-cfs-api." + sessionsNamespace)),
        prune,
        OperatorSection.shared(restart),
        operators,
        managementPort(top));
  }

  /** Reads the address of a server. Refuses to send a token over http, in clear text. */
  static RestEndpoint endpoint(Section section, String field, URI fallback) {
    var address = section.parsed(field, fallback, JanitorSettings::address);
    var maySendToken = section.flag("insecureToken", false) || !"http".equals(address.getScheme());
    if (section.has("tokenFile") && !maySendToken) {
      section.problem(
          "tokenFile",
          "would send a token over http to %s: use https, or set insecureToken: true"
              .formatted(address));
    }
    return new RestEndpoint(address, file(section, "tokenFile"), file(section, "authorityFile"));
  }

  private static @Nullable Path file(Section section, String field) {
    return section.has(field) ? section.parsed(field, Path.of("."), Path::of) : null;
  }

  private static URI address(String text) {
    if (text.contains("@")) {
      // Not sent, and not to be shown.
      throw new IllegalArgumentException(
          "must not contain \"@\": a user and password are not sent; use tokenFile");
    }
    var address = URI.create(text);
    if (address.getHost() == null
        || !List.of("http", "https").contains(address.getScheme())
        || address.getRawQuery() != null
        || address.getRawFragment() != null) {
      throw new IllegalArgumentException(
          "not an address like http://host:port/path: \"%s\"".formatted(text));
    }
    return address;
  }

  /** Reads a name that becomes part of an API path. */
  static String name(Section section, String field, String fallback) {
    return section.parsed(
        field,
        fallback,
        text -> {
          if (!text.matches("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?")) {
            throw new IllegalArgumentException("not a Kubernetes name: \"%s\"".formatted(text));
          }
          return text;
        });
  }
}
