package dev.shipshape.plugin.command;

import dev.shipshape.audit.Text;
import dev.shipshape.plugin.review.ManifestObject;
import dev.shipshape.service.BadSettings;
import dev.shipshape.webhook.config.Guard;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "diff",
    description = {
      "Compare two configurations as their guard does, and print a unified diff of the hashed"
          + " content. Needs no cluster."
    })
final class DiffCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final GuardOptions guards = new GuardOptions();

  @Parameters(index = "0", paramLabel = "A", description = "A file with one object.")
  private String left = "";

  @Parameters(index = "1", paramLabel = "B", description = "Another one of the same kind.")
  private String right = "";

  @Override
  public Integer call() throws BadSettings {
    var manifests = new Manifests(spec.commandLine(), guards.offline());
    var ofLeft = manifests.read(List.of(left));
    var ofRight = manifests.read(List.of(right));
    if (manifests.reportProblems() || !requireOne(left, ofLeft) || !requireOne(right, ofRight)) {
      return ExitCode.BAD_INPUT;
    }
    var one = ofLeft.getFirst();
    var other = ofRight.getFirst();
    if (!one.guard().equals(other.guard())) {
      spec.commandLine()
          .getErr()
          .printf("%s and %s are of different kinds%n", one.object().name(), other.object().name());
      return ExitCode.BAD_INPUT;
    }
    return compare(one.guard(), one.object(), other.object());
  }

  /** Reports it if a file does not have one object. */
  private boolean requireOne(String file, List<Manifests.Guarded> objects) {
    if (objects.size() == 1) {
      return true;
    }
    spec.commandLine()
        .getErr()
        .printf("%s: must have one object, but has %d%n", file, objects.size());
    return false;
  }

  private int compare(Guard guard, ManifestObject one, ManifestObject other) {
    var out = spec.commandLine().getOut();
    var identity = guard.identity();
    var isSame = identity.hash(one.json()).equals(identity.hash(other.json()));
    out.printf(
        "%s and %s are %s%n",
        place(one), place(other), isSame ? "the same configuration" : "different configurations");
    CanonicalDiff.of("A", identity.canonical(one.json()), "B", identity.canonical(other.json()))
        .forEach(line -> out.println(Text.printableLine(line)));
    out.flush();
    return isSame ? ExitCode.OK : ExitCode.FOUND;
  }

  private static String place(ManifestObject object) {
    return "%s (%s:%d)".formatted(object.name(), object.file(), object.line());
  }
}
