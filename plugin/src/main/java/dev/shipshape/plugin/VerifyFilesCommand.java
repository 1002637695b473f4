package dev.shipshape.plugin;

import dev.shipshape.service.StartFailure;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "verify-files",
    description = "Checks the installed files against the release's list of SHA-256.",
    footer =
        "%nHelm checks a signature only while it installs; this says whether anything has changed"
            + " since. It finds damage, not an attacker who can change the list too.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all files are as released",
      "1:a file is changed, missing or none of the release's",
      "2:the command line is wrong",
      "4:could not run, for instance from a checkout, which has no list"
    })
final class VerifyFilesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    var home = System.getProperty("shipshape.home");
    if (home == null || !InstalledFiles.hasList(Path.of(home))) {
      throw new StartFailure("only a release has a list of its files; this runs from a checkout");
    }
    var installed = InstalledFiles.in(Path.of(home));
    var problems = installed.problems();
    var out = spec.commandLine().getOut();
    problems.forEach(out::println);
    out.printf("%d files checked, %d problems%n", installed.size(), problems.size());
    return problems.isEmpty() ? ExitCode.OK : ExitCode.FOUND;
  }
}
