package dev.shipshape.plugin.command;

import dev.shipshape.plugin.review.GuardedKinds;
import dev.shipshape.plugin.review.ManifestFiles;
import dev.shipshape.plugin.review.ManifestObject;
import dev.shipshape.plugin.review.ManifestReader;
import dev.shipshape.plugin.review.Problem;
import dev.shipshape.webhook.config.Guard;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import picocli.CommandLine;

/** The objects in files, each with its guard. An object without a guard is a problem. */
final class Manifests {
  private final CommandLine command;
  private final GuardedKinds kinds;
  private final List<Problem> problems = new ArrayList<>();
  private String files = "";
  private boolean isEmpty = true;

  Manifests(CommandLine command, GuardedKinds kinds) {
    this.command = command;
    this.kinds = kinds;
  }

  /**
   * Reads all files, and keeps the problems for {@link #reportProblems}.
   *
   * @param files or folders; - for standard input
   */
  void readAll(List<String> files, BiConsumer<Guard, ManifestObject> each) {
    this.files = String.join(", ", files);
    for (var file : ManifestFiles.of(files, List.of(), problems::add)) {
      ManifestReader.read(
          file,
          kind -> true,
          kinds.inVersion(object -> read(object, each), problems::add),
          problems::add);
    }
  }

  private void read(ManifestObject object, BiConsumer<Guard, ManifestObject> each) {
    var unknown =
        "no guard is for %s of %s: give its guard by --settings FILE"
            .formatted(object.text("/kind"), object.text("/apiVersion"));
    kinds
        .of(object)
        .ifPresentOrElse(
            guard -> {
              var content = guard.identity().content();
              if (!object.json().has(content)) {
                problems.add(
                    object
                        .problem("has no %s: its hash is that of an empty one".formatted(content))
                        .asNote());
              }
              isEmpty = false;
              each.accept(guard, object);
            },
            () -> problems.add(object.problem(unknown)));
  }

  /** Prints the problems; returns whether there were any but notes. */
  boolean reportProblems() {
    if (isEmpty && problems.stream().allMatch(Problem::note)) {
      problems.add(new Problem(files, 1, "there is no object"));
    }
    problems.forEach(command.getErr()::println);
    return !problems.stream().allMatch(Problem::note);
  }
}
