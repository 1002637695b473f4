package dev.shipshape.plugin.command;

import dev.shipshape.audit.Text;
import dev.shipshape.plugin.review.Fields;
import dev.shipshape.plugin.review.ManifestObject;
import dev.shipshape.service.BadSettings;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.identity.CanonicalJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "hash",
    description = {
      "Print the hash of configurations in files, as the webhook computes it. Needs no cluster."
    })
final class HashCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final GuardOptions guards = new GuardOptions();

  @Option(
      names = "--explain",
      description =
          "Also print what is hashed (canonical JSON), which plain YAML means something else than"
              + " its text, such as 0644 and yes, and a unified diff from what the file says to"
              + " what is hashed. Without secrets.")
  private boolean explain;

  @Parameters(
      paramLabel = "FILE|FOLDER|-",
      arity = "1..*",
      description = "Objects or lists of them in YAML or JSON; - for standard input.")
  private List<String> files = List.of();

  @Override
  public Integer call() throws BadSettings {
    var manifests = new Manifests(spec.commandLine(), guards.offline());
    manifests.read(files).forEach(each -> print(each.guard(), each.object()));
    return manifests.reportProblems() ? ExitCode.BAD_INPUT : ExitCode.OK;
  }

  private void print(Guard guard, ManifestObject object) {
    var out = spec.commandLine().getOut();
    var identity = guard.identity();
    out.printf("%s  %s%n", identity.hash(object.json()), object.name());
    if (explain) {
      out.println("  " + new String(identity.canonical(object.json()), StandardCharsets.UTF_8));
      var content = identity.withoutSecrets(object.json());
      object.spellings().stream()
          .filter(each -> each.field().matchesProperty(identity.content()))
          .filter(each -> !content.at(each.field().tail()).isMissingNode())
          .map(
              each ->
                  "  line %d: %s means %s (%s)"
                      .formatted(
                          each.line(), each.text(), each.meaning(), Fields.path(each.field())))
          .forEach(line -> out.println(Text.printableLine(line)));
      CanonicalDiff.of(
              "written", CanonicalJson.write(content), "hashed", identity.canonical(object.json()))
          .forEach(line -> out.println("  " + Text.printableLine(line)));
    }
  }
}
