package dev.shipshape.plugin.command;

import dev.shipshape.plugin.review.GuardedKinds;
import dev.shipshape.plugin.review.ManifestFiles;
import dev.shipshape.plugin.review.ManifestObject;
import dev.shipshape.plugin.review.ManifestReader;
import dev.shipshape.plugin.review.Problem;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.index.BoundedObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;

/**
 * The objects in files, each with its guard. An object without a guard, or beyond the webhook's
 * limits, is a problem.
 */
final class Manifests {
  private final CommandLine command;
  private final GuardedKinds kinds;
  private final List<Problem> problems = new ArrayList<>();

  Manifests(CommandLine command, GuardedKinds kinds) {
    this.command = command;
    this.kinds = kinds;
  }

  /** An object and its guard. */
  record Guarded(Guard guard, ManifestObject object) {}

  /**
   * Returns the objects of all files, and keeps the problems for {@link #reportProblems}.
   *
   * @param files or folders; - for standard input
   */
  List<Guarded> read(List<String> files) {
    var read = new ArrayList<Guarded>();
    for (var file : ManifestFiles.of(files, List.of(), problems::add)) {
      ManifestReader.read(
          file,
          kind -> true,
          kinds.inVersion(object -> guarded(object).ifPresent(read::add), problems::add),
          problems::add);
    }
    if (read.isEmpty() && problems.stream().allMatch(Problem::note)) {
      problems.add(new Problem(String.join(", ", files), 1, "there is no object"));
    }
    return read;
  }

  private Optional<Guarded> guarded(ManifestObject object) {
    var guard = kinds.of(object);
    if (guard.isEmpty()) {
      problems.add(
          object.problem(
              "no guard is for %s of %s: give its guard by --settings FILE"
                  .formatted(object.text("/kind"), object.text("/apiVersion"))));
    } else if (!object.json().has(guard.get().identity().content())) {
      problems.add(
          object
              .problem(
                  "has no %s: its hash is that of an empty one"
                      .formatted(guard.get().identity().content()))
              .asNote());
    }
    try {
      // Admission refuses an object beyond the limits.
      var _ = BoundedObject.tree(object.json());
    } catch (IOException e) {
      problems.add(object.problem(String.valueOf(e.getMessage())));
      return Optional.empty();
    }
    return guard.map(found -> new Guarded(found, object));
  }

  /** Prints the problems; returns whether there were any but notes. */
  boolean reportProblems() {
    problems.forEach(command.getErr()::println);
    return !problems.stream().allMatch(Problem::note);
  }
}
