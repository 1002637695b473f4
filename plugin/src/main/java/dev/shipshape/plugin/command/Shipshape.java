package dev.shipshape.plugin.command;

import dev.shipshape.audit.ObjectPattern;
import dev.shipshape.audit.Races;
import dev.shipshape.audit.Text;
import dev.shipshape.audit.TextPattern;
import dev.shipshape.plugin.review.ManifestFiles;
import dev.shipshape.service.ApiErrors;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.Durations;
import dev.shipshape.service.Metrics;
import dev.shipshape.service.StartFailure;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.PathMatcher;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.TypeConversionException;

/** The command {@code shipshape}, also {@code helm shipshape}. */
@Command(
    name = "shipshape",
    description = {
      "Prevents two recurring problems of Kubernetes operators: invalid configurations that are"
          + " rolled out again, and aged sessions that pile up until the operator is stuck.",
      "Every command also takes --stacktrace, and --no-color (or the variable NO_COLOR)."
    },
    scope = ScopeType.INHERIT,
    versionProvider = Shipshape.class,
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:something was found, or refused",
      "2:the command line is wrong",
      "3:a file or object that was given is wrong",
      "4:could not run"
    })
public final class Shipshape implements IVersionProvider {
  private static final List<Class<?>> COMMANDS =
      List.of(
          InstallCommand.class,
          UpgradeCommand.class,
          DisarmCommand.class,
          UninstallCommand.class,
          StatusCommand.class,
          OperatorCommand.class,
          ProbeCommand.class,
          PruneCommand.class,
          SessionsCommand.class,
          ReviewCommand.class,
          HashCommand.class,
          DiffCommand.class,
          ScanCommand.class,
          KnownInvalidCommand.class,
          ForgetCommand.class,
          RememberCommand.class,
          AuditCommand.class,
          WebhookCommand.class,
          JanitorCommand.class,
          RemoveWebhooksCommand.class);

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help message and exit.")
  @SuppressWarnings("UnusedVariable") // picocli reads it.
  private boolean help;

  /** Of this command alone: --version VERSION of helm install is the chart's. */
  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Print version information and exit.")
  @SuppressWarnings("UnusedVariable")
  private boolean version;

  @Option(
      names = {"--stacktrace", "--debug"},
      hidden = true,
      arity = "0..1",
      fallbackValue = "true",
      scope = ScopeType.INHERIT,
      description = "Print the stack trace of an error.")
  private boolean stacktrace;

  @Option(
      names = "--no-color",
      hidden = true,
      scope = ScopeType.INHERIT,
      description = "Print no colours; so does the variable NO_COLOR.")
  void noColor(boolean isAsked) {
    if (isAsked) {
      // picocli's help and Console read it.
      System.setProperty("picocli.ansi", "false");
    }
  }

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(exitCode(writer(System.out), writer(System.err), arguments));
  }

  /** An error that no command expects, such as want of memory, must not end with 1: found. */
  private static int exitCode(PrintWriter out, PrintWriter err, String... arguments) {
    try {
      return run(out, err, arguments);
    } catch (OutOfMemoryError e) {
      err.println(
          "shipshape: this needs more memory: set SHIPSHAPE_JAVA_OPTIONS=-Xmx1g, in a pod a higher"
              + " limit, or read less of a log");
    } catch (Error e) {
      e.printStackTrace(err);
    }
    return ExitCode.COULD_NOT_RUN;
  }

  private static PrintWriter writer(PrintStream stream) {
    return new PrintWriter(stream, true, stream.charset());
  }

  /** Runs one command; picocli's output goes to the two writers. */
  static int run(PrintWriter out, PrintWriter err, String... arguments) {
    var command = commandLine(arguments);
    convert(command, Duration.class, Durations::parse);
    convert(command, Feature.class, Feature::parse);
    convert(command, ObjectPattern.class, ObjectPattern::parse);
    convert(command, PathMatcher.class, ManifestFiles::glob);
    convert(command, Races.Allowance.class, AuditRacesCommand::allowance);
    var words = new AuditFilterOptions.WordConverter();
    convert(command, TextPattern.class, text -> TextPattern.of(words.convert(text)));
    var exit =
        command
            .setExpandAtFiles(false)
            .setCommandName(ProgramName.name())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setOut(out)
            .setErr(err)
            .setParameterExceptionHandler(Shipshape::wrongUsage)
            .setExecutionExceptionHandler(Shipshape::failed)
            .execute(arguments);
    return out.checkError() ? afterFailedOutput(exit, err) : exit;
  }

  private static int afterFailedOutput(int exit, PrintWriter err) {
    try {
      // Repeats a failed write, to get its exception.
      AuditRun.standardOutput().write('\n');
      return exit;
    } catch (IOException e) {
      return AuditRun.failedOutput(exit, e, err);
    }
  }

  /** Converts values of a type by a method whose IllegalArgumentException becomes the message. */
  private static <T> void convert(CommandLine command, Class<T> type, Function<String, T> parse) {
    command.registerConverter(
        type,
        text -> {
          try {
            return parse.apply(text);
          } catch (IllegalArgumentException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
          }
        });
  }

  static CommandLine commandLine() {
    return with(COMMANDS);
  }

  /** Builds only the command that these arguments need, because building all of them takes long. */
  private static CommandLine commandLine(String... arguments) {
    if (arguments.length == 0) {
      return commandLine();
    }
    var first = arguments[0];
    if (arguments.length == 1 && first.startsWith("-")) {
      return headings();
    }
    return with(
        COMMANDS.stream()
            .filter(each -> heading(each).name().equals(first))
            .findFirst()
            .<List<Class<?>>>map(List::of)
            .orElse(COMMANDS));
  }

  private static CommandLine with(List<Class<?>> commands) {
    var shipshape = new CommandLine(new Shipshape());
    commands.forEach(each -> shipshape.addSubcommand(heading(each).name(), each));
    return shipshape;
  }

  /** Builds the commands with only their line in the help. */
  private static CommandLine headings() {
    var shipshape = new CommandLine(new Shipshape());
    for (var each : COMMANDS) {
      var heading = heading(each);
      var command = CommandSpec.create();
      command.usageMessage().description(heading.description()).hidden(heading.hidden());
      shipshape.addSubcommand(heading.name(), command);
    }
    return shipshape;
  }

  private static Command heading(Class<?> command) {
    return command.getAnnotation(Command.class);
  }

  private static int wrongUsage(ParameterException e, String... arguments) {
    var command = e.getCommandLine();
    command.getErr().println("shipshape: " + e.getMessage());
    CommandLine.UnmatchedArgumentException.printSuggestions(e, command.getErr());
    command.getErr().print(command.getHelp().fullSynopsis());
    command.getErr().printf("Try '%s --help'.%n", command.getCommandSpec().qualifiedName());
    return ExitCode.USAGE;
  }

  private static int failed(Exception e, CommandLine command, CommandLine.ParseResult arguments) {
    var err = command.getErr();
    if (command.getCommandSpec().root().userObject() instanceof Shipshape shipshape
        && shipshape.stacktrace) {
      e.printStackTrace(err);
    }
    return switch (e) {
      case BadSettings bad -> {
        bad.problems().forEach(each -> err.println(Text.printable(each)));
        yield ExitCode.BAD_INPUT;
      }
      case StartFailure _ -> {
        err.println("shipshape: " + Text.printable(String.valueOf(e.getMessage())));
        yield ExitCode.COULD_NOT_RUN;
      }
      case KubernetesClientException failure -> {
        var reason = ApiErrors.reason(failure);
        var unanswered = reason.contains(ApiErrors.UNANSWERED);
        err.println(
            "shipshape: "
                + Text.printable(reason)
                + (unanswered ? "; to see which API server it is: kubectl cluster-info" : ""));
        yield ExitCode.COULD_NOT_RUN;
      }
      default -> {
        err.printf("shipshape: unexpected failure (a bug; --stacktrace shows where): %s%n", e);
        yield ExitCode.COULD_NOT_RUN;
      }
    };
  }

  /** Reads the version in the jar's manifest. */
  @Override
  public String[] getVersion() {
    return new String[] {"shipshape " + Metrics.version()};
  }
}
