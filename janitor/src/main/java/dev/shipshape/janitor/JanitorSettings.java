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
 * The janitor's settings, from {@code janitor.yaml}: see docs/reference/settings.md. Every default
 * is the careful one: it reports and does nothing.
 *
 * @param leaseNamespace null for the client's own namespace, which in a pod is the release's
 */
public record JanitorSettings(
    @Nullable String leaseNamespace,
    String sessionsNamespace,
    Source source,
    RestEndpoint rest,
    PruneSettings prune,
    RestartSettings restart,
    List<OperatorSettings> operators,
    String managementHost,
    int managementPort) {
  /** Whether the restart of an operator is armed. */
  public boolean restartArmed() {
    return operators.stream().anyMatch(OperatorSettings::armed);
  }

  /** All addresses. */
  public static final String DEFAULT_MANAGEMENT_HOST = "0.0.0.0";

  /** Where sessions are kept before they are deleted; null for nowhere. */
  public @Nullable Path archiveFolder() {
    var archive = prune.archive();
    return archive == null ? null : archive.folder();
  }

  /** The same with another folder to keep sessions in. */
  public JanitorSettings withArchive(Path folder) {
    return new JanitorSettings(
        leaseNamespace,
        sessionsNamespace,
        source,
        rest,
        prune.withArchive(folder),
        restart,
        operators,
        managementHost,
        managementPort);
  }

  /** The sessions, wherever they are. */
  public Supplier<SessionList> sessions(KubernetesClient client) {
    return new SessionDetector(client, new RestService(rest), source, sessionsNamespace)::list;
  }

  /**
   * The pruner of these sessions. By hand too it needs no Lease: each deletion is guarded by
   * itself, and a session that a janitor was faster with ends as already gone.
   *
   * @param cancellation ends what is under way between two objects
   */
  public Pruner pruner(
      KubernetesClient client,
      Supplier<SessionList> sessions,
      InstantSource clock,
      AuditLog audit,
      CancellationToken cancellation) {
    var archive = prune.archive();
    return new Pruner(
        sessions,
        client,
        sessionsNamespace,
        prune.policy(),
        prune.throughput(),
        archive == null
            ? null
            : new SessionArchive(
                archive.folder(), archive.mostBytes(), client, sessionsNamespace, clock),
        audit,
        cancellation,
        clock);
  }

  /** Another than the webhook's. */
  public static final int DEFAULT_MANAGEMENT_PORT = 8081;

  /**
   * Reads the file.
   *
   * @throws BadSettings with every mistake, by file, line and field
   */
  public static JanitorSettings read(Path file) throws BadSettings {
    return SettingsReader.read(file, JanitorSettings::from);
  }

  /**
   * Where the management port is to be, of a file that as a whole may be wrong: it must be found
   * where it is looked for, above all then.
   */
  public static Management managementOf(Path file) {
    return SettingsReader.readPart(file, JanitorSettings::management)
        .orElse(new Management(DEFAULT_MANAGEMENT_HOST, DEFAULT_MANAGEMENT_PORT));
  }

  /** The management port's place. */
  public record Management(String host, int port) {}

  private static Management management(Section top) {
    var section = top.section("management");
    return new Management(
        section.text("host", DEFAULT_MANAGEMENT_HOST),
        section.integer("port", DEFAULT_MANAGEMENT_PORT, 0, 65_535));
  }

  /**
   * Reads settings from a text.
   *
   * @param file what to call the text in messages
   * @throws BadSettings with every mistake in it
   */
  public static JanitorSettings parse(String file, String yaml) throws BadSettings {
    return SettingsReader.parse(file, yaml, JanitorSettings::from);
  }

  /**
   * As {@link #read} for a janitor at work: a mistake in an entry of {@code operators} is told by
   * {@link OperatorSettings#problem}, and leaves all else as it is.
   */
  public static JanitorSettings readUsable(Path file) throws BadSettings {
    return SettingsReader.read(file, top -> from(top, false));
  }

  /** As {@link #readUsable}, from a text. */
  public static JanitorSettings parseUsable(String file, String yaml) throws BadSettings {
    return SettingsReader.parse(file, yaml, top -> from(top, false));
  }

  static JanitorSettings from(Section top) {
    return from(top, true);
  }

  private static JanitorSettings from(Section top, boolean isStrict) {
    var sessions = top.section("sessions");
    var sessionsNamespace = name(sessions, "namespace", "services");
    var prune = PruneSettings.read(top.section("prune"));
    var restart = top.section("restart");
    var operators =
        OperatorSection.read(
            top, restart, sessionsNamespace, prune.policy().clockTolerance(), isStrict);
    var management = management(top);
    return new JanitorSettings(
        leaseNamespace(top.section("lease")),
        sessionsNamespace,
        sessions.choice("source", Source.AUTO),
        // The service is beside its sessions, and its bare name is known in that namespace only.
        endpoint(
            sessions.section("rest"),
            "address",
            URI.create("http://cray-cfs-api." + sessionsNamespace)),
        prune,
        OperatorSection.shared(restart),
        operators,
        management.host(),
        management.port());
  }

  private static @Nullable String leaseNamespace(Section section) {
    return section.has("namespace") ? name(section, "namespace", "default") : null;
  }

  /** A server that is called over HTTP; a token over http can be read on the way. */
  static RestEndpoint endpoint(Section section, String field, URI fallback) {
    var address = section.parsed(field, fallback, JanitorSettings::address);
    var isSecure = section.flag("insecureToken", false) || !"http".equals(address.getScheme());
    if (section.has("tokenFile") && !isSecure) {
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
    var address = URI.create(text);
    if (address.getHost() == null || !List.of("http", "https").contains(address.getScheme())) {
      throw new IllegalArgumentException(
          "not an address like http://host:port: \"%s\"".formatted(text));
    }
    return address;
  }

  /** A name goes into paths of the API, so it must be one. */
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
