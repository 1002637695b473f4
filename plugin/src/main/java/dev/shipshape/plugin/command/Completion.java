package dev.shipshape.plugin.command;

import dev.shipshape.webhook.store.KnownInvalidClient;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * What a word of a command line could be, for all shells and for Helm's {@code plugin.complete}:
 * one candidate a line, after a tab its description, and at the end a directive as of cobra, {@code
 * :0} if files may follow or {@code :4} if not.
 */
final class Completion {
  /** The first argument that asks for it. */
  static final String COMMAND = "__complete";

  private static final String FILES = ":0";
  private static final String NO_FILES = ":4";

  /** Nobody waits longer for a cluster while typing. */
  private static final long PATIENCE_SECONDS = 2;

  private final List<String> words;
  private CommandSpec command = Shipshape.commandLine().getCommandSpec();
  private @Nullable ArgSpec wanted;
  private int positionals;

  /** Which cluster the words before mean. */
  @Command
  private static final class Before {
    @Mixin private final ClusterOptions cluster = new ClusterOptions();
  }

  private Completion(List<String> words) {
    this.words = words;
  }

  /**
   * Completes the last word.
   *
   * @param words after the program's name, the last one as far as it is typed
   */
  static String of(List<String> words) {
    var typed = words.isEmpty() ? List.of("") : words;
    return new Completion(typed).complete(typed.getLast());
  }

  private String complete(String last) {
    words.subList(0, words.size() - 1).forEach(this::pass);
    if (wanted != null) {
      return values(wanted, last);
    }
    if (last.startsWith("-")) {
      return answer(
          command.options().stream()
              .filter(option -> !option.hidden())
              .map(option -> described(option.longestName(), option.description())),
          last,
          NO_FILES);
    }
    if (!command.subcommands().isEmpty() && positionals == 0) {
      return answer(
          command.subcommands().values().stream()
              .map(CommandLine::getCommandSpec)
              .filter(each -> !each.usageMessage().hidden())
              .map(each -> described(each.name(), each.usageMessage().description())),
          last,
          NO_FILES);
    }
    return command.positionalParameters().stream()
        .filter(parameter -> parameter.index().contains(positionals))
        .findFirst()
        .map(parameter -> values(parameter, last))
        .orElse(NO_FILES);
  }

  private void pass(String word) {
    var below = command.subcommands().get(word);
    if (wanted != null) {
      wanted = null;
    } else if (word.startsWith("-") && word.length() > 1) {
      var option = command.findOption(word);
      wanted = option != null && option.arity().min() > 0 ? option : null;
    } else if (below != null) {
      command = below.getCommandSpec();
    } else {
      positionals++;
    }
  }

  private String values(ArgSpec argument, String last) {
    var label = argument.paramLabel();
    var isNamespace =
        argument instanceof OptionSpec option && option.longestName().equals("--namespace");
    if (isNamespace) {
      return answer(asked(cluster -> at(cluster, Completion::namespaces)), last, NO_FILES);
    }
    if (label.equals("HASH")) {
      return answer(asked(cluster -> at(cluster, Completion::hashes)), last, NO_FILES);
    }
    if (argument.completionCandidates() != null) {
      var candidates = StreamSupport.stream(argument.completionCandidates().spliterator(), false);
      return answer(
          candidates.map(each -> each.toLowerCase(Locale.ROOT).replace('_', '-')), last, NO_FILES);
    }
    var isFile = Stream.of("FILE", "FOLDER", "LOG").anyMatch(label::contains);
    return isFile || label.length() == 1 ? FILES : NO_FILES;
  }

  /** What is found in time; nothing is no news to somebody who types. */
  private Stream<String> asked(Function<ClusterOptions, List<String>> question) {
    try {
      var before = new Before();
      new CommandLine(before)
          .setUnmatchedArgumentsAllowed(true)
          .parseArgs(words.toArray(String[]::new));
      return CompletableFuture.supplyAsync(() -> question.apply(before.cluster))
          .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
          .join()
          .stream();
    } catch (RuntimeException e) {
      return Stream.empty();
    }
  }

  private static List<String> at(
      ClusterOptions cluster, Function<KubernetesClient, List<String>> question) {
    try (var client = cluster.connect()) {
      return question.apply(client);
    }
  }

  private static List<String> namespaces(KubernetesClient client) {
    return client.namespaces().list().getItems().stream()
        .map(each -> each.getMetadata().getName())
        .toList();
  }

  private static List<String> hashes(KubernetesClient client) {
    return KnownInvalidOptions.newestFirst(new KnownInvalidClient(client)).stream()
        .map(
            each ->
                described(
                    each.key().hash().abbreviated(), each.source().name() + ": " + each.reason()))
        .toList();
  }

  private static String described(String candidate, String... description) {
    var text = description.length == 0 ? "" : description[0].replaceAll("\\p{Cntrl}", " ");
    return text.isEmpty() ? candidate : candidate + "\t" + text;
  }

  private static String answer(Stream<String> candidates, String last, String directive) {
    var lines = candidates.filter(each -> each.startsWith(last)).sorted().toList();
    return String.join("\n", Stream.concat(lines.stream(), Stream.of(directive)).toList());
  }
}
