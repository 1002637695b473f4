package dev.shipshape.plugin.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.audit.UnreadableLog;
import dev.shipshape.plugin.review.GuardedKinds;
import dev.shipshape.plugin.review.KnownInvalidReader;
import dev.shipshape.plugin.review.ManifestFiles;
import dev.shipshape.plugin.review.ManifestObject;
import dev.shipshape.plugin.review.ObjectReview.Verdict;
import dev.shipshape.plugin.review.Problem;
import dev.shipshape.plugin.review.ReportFormat;
import dev.shipshape.plugin.review.Review;
import dev.shipshape.plugin.review.Reviewer;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.StartFailure;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.identity.JsonLimits;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "review",
    description = {
      "Say whether manifests would be admitted, by the webhook's own code, before they are"
          + " applied.",
      "An object equal to one that is known invalid is refused, as by an armed guard."
    },
    footerHeading = "%n",
    footer = {
      "Examples:",
      "  shipshape review manifests/ --known-invalid failed.yaml",
      "  helm template . | shipshape review - --cluster -o text -o sarif=review.sarif"
    })
final class ReviewCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ClusterOptions cluster = new ClusterOptions();
  @Mixin private final NamespaceOption release = new NamespaceOption();
  @Mixin private final GuardOptions guards = new GuardOptions();

  @Parameters(
      paramLabel = "FILE|FOLDER|-",
      arity = "1..*",
      description =
          "Objects, lists or AdmissionReviews in YAML or JSON; folders with all .yaml, .yml and"
              + " .json below, but for those that the folder's .shipshapeignore lists; - for"
              + " standard input.")
  private List<String> files = List.of();

  @Option(
      names = "--exclude",
      paramLabel = "GLOB",
      description =
          "Leave out files with such a name, or such a path below the folder that is reviewed, and"
              + " what is in such folders. Repeatable. A .shipshapeignore has one in each line.")
  private List<PathMatcher> excluded = List.of();

  @Option(
      names = "--known-invalid",
      paramLabel = "FILE|FOLDER",
      description =
          "What is known invalid: objects whose status says so, records, or the output of"
              + " known-invalid export. Repeatable.")
  private List<String> knownInvalid = List.of();

  @Option(
      names = "--cluster",
      description = "What the cluster knows invalid, by its guards. It is read, not changed.")
  private boolean askCluster;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT[=FILE]",
      mapFallbackValue = Option.NULL_VALUE,
      description =
          "text, json, junit, sarif or github; into a file, or one of them to standard output."
              + " Repeatable, once for each format. Default: text")
  private Map<ReportFormat, Optional<Path>> reports = Map.of(ReportFormat.TEXT, Optional.empty());

  @Option(
      names = "--fail-if-nothing-reviewed",
      description = "End with 3 if the files have no object of a guarded kind.")
  private boolean failIfNothing;

  @Override
  public Integer call() throws BadSettings {
    checkUsage();
    if (!askCluster) {
      return review(guards.offline(), Optional.empty());
    }
    try (var client = cluster.connect()) {
      return review(guards.of(client, release.value()), Optional.of(client));
    }
  }

  private void checkUsage() {
    if (knownInvalid.isEmpty() && !askCluster) {
      throw new ParameterException(
          spec.commandLine(), "say what is known invalid: --known-invalid FILE, or --cluster");
    }
    if (files.contains("-") && knownInvalid.contains("-")) {
      throw new ParameterException(spec.commandLine(), "standard input can be read only once");
    }
    if (reports.values().stream().filter(Optional::isEmpty).count() > 1) {
      throw new ParameterException(
          spec.commandLine(), "only one report can go to standard output: use -o FORMAT=FILE");
    }
    var used = new HashSet<Path>();
    Stream.concat(files.stream(), knownInvalid.stream())
        .map(Path::of)
        .map(ReviewCommand::whole)
        .forEach(used::add);
    for (var report : reports.values()) {
      if (report.isPresent() && !used.add(whole(report.get()))) {
        throw new ParameterException(
            spec.commandLine(), "%s is read, or holds another report".formatted(report.get()));
      }
    }
  }

  private static Path whole(Path file) {
    return file.toAbsolutePath().normalize();
  }

  private int review(GuardedKinds kinds, Optional<KubernetesClient> client) {
    var problems = new ArrayList<Problem>();
    var webhook = kinds.webhook();
    var reader = new KnownInvalidReader(kinds, webhook);
    client.ifPresent(reader::read);
    reader.read(knownInvalid, problems::add);
    var reviewer =
        new Reviewer(
            kinds, webhook, (guard, object) -> client.flatMap(api -> stored(api, guard, object)));
    var review = reviewer.review(ManifestFiles.of(files, excluded, problems::add), problems);
    report(review);
    return exitCode(review);
  }

  /** A manifest's names must not lead a request to another path. */
  private static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8);
  }

  private static Optional<JsonNode> stored(
      KubernetesClient client, Guard guard, ManifestObject object) {
    if (object.text("/metadata/name").isEmpty()) {
      return Optional.empty();
    }
    var resource = guard.resource();
    var namespace = object.text("/metadata/namespace");
    var path =
        resource.namespaced()
            ? resource.path(namespace.isEmpty() ? Reviewer.DEFAULT_NAMESPACE : encoded(namespace))
            : resource.path();
    var answer = client.raw(path + "/" + encoded(object.text("/metadata/name")));
    try {
      return answer == null ? Optional.empty() : Optional.of(JsonLimits.MAPPER.readTree(answer));
    } catch (JsonProcessingException e) {
      throw new StartFailure(
          "could not read %s %s from the cluster: the answer is not JSON: %s"
              .formatted(resource, object.name(), e.getOriginalMessage()),
          e);
    }
  }

  private void report(Review review) {
    var out = spec.commandLine().getOut();
    reports.forEach(
        (format, file) ->
            file.ifPresentOrElse(
                path -> write(path, format.write(review)), () -> out.print(format.write(review))));
    out.flush();
    // Problems must be visible without the text report, too.
    if (!reports.containsKey(ReportFormat.TEXT)) {
      review.problems().forEach(spec.commandLine().getErr()::println);
    }
  }

  static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new StartFailure("could not write %s: %s".formatted(file, UnreadableLog.reason(e)), e);
    }
  }

  private int exitCode(Review review) {
    if (!review.unreadable().isEmpty()) {
      return ExitCode.BAD_INPUT;
    }
    if (review.objects().isEmpty() && review.unguarded() == 0) {
      spec.commandLine().getErr().println("shipshape: there is no object in the files");
      return ExitCode.BAD_INPUT;
    }
    if (failIfNothing && review.objects().isEmpty()) {
      spec.commandLine().getErr().println("shipshape: there is no object of a guarded kind");
      return ExitCode.BAD_INPUT;
    }
    return review.count(Verdict.REFUSED) > 0 ? ExitCode.FOUND : ExitCode.OK;
  }
}
