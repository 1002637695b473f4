package dev.shipshape.plugin;

import dev.shipshape.webhook.memory.MemoryDesk.Forgetting;
import dev.shipshape.webhook.memory.Remembered;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "forget",
    description = {
      "Has the webhook forget that a configuration is known invalid.",
      "It is not learned again from a status that was written before; one that is written from now"
          + " on counts."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:forgotten",
      "1:no configuration, or more than one, that is remembered begins so, or that namespace has no"
          + " such memory",
      "2:the command line is wrong",
      "4:could not run, for instance because a right is missing"
    })
final class ForgetCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final MemoryOptions memory = new MemoryOptions();

  @Option(
      names = "--guard",
      paramLabel = "NAME",
      description = {
        "Only for this guard. With the hash in full it is forgotten for objects that say so already"
            + " where it is not remembered, too."
      })
  private @Nullable String guard;

  @Parameters(
      paramLabel = "HASH",
      description = "The configuration's hash, or the first 12 digits of it or more.")
  private String hash = "";

  @Override
  public Integer call() {
    var out = spec.commandLine().getOut();
    var err = spec.commandLine().getErr();
    switch (forget(err).orElse(null)) {
      case null -> {
        return ExitCode.FOUND;
      }
      case Forgetting.Done(var forgotten) -> {
        forgotten.forEach(entry -> out.println("forgot " + told(entry)));
        return ExitCode.OK;
      }
      case Forgetting.Marked(var key) -> {
        out.printf(
            "forgot %s (%s), which is not remembered, for objects that say so already%n",
            key.hash(), key.guard());
        return ExitCode.OK;
      }
      case Forgetting.NoneFound() -> {
        err.printf(
            "shipshape: nothing that is remembered as invalid begins with %s; this lists it: %s. An"
                + " object that is there and says so itself counts without being remembered; to"
                + " have it count no longer, give the hash in full and --guard.%n",
            hash, memory.command("known-invalid"));
        return ExitCode.FOUND;
      }
      case Forgetting.Ambiguous(var candidates) -> {
        err.printf("shipshape: more than one configuration begins with %s:%n", hash);
        candidates.forEach(entry -> err.println("  " + told(entry)));
        return ExitCode.FOUND;
      }
    }
  }

  private Optional<Forgetting> forget(PrintWriter err) {
    try {
      return memory.at(err, desk -> desk.forget(hash, guard));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private static String told(Remembered.Invalid entry) {
    return "%s (%s), known invalid since %s by %s on %s: %s"
        .formatted(
            entry.key().hash(),
            entry.key().guard(),
            entry.at(),
            entry.origin(),
            String.join(", ", entry.nodes()),
            entry.reason());
  }
}
