package dev.shipshape.service;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.Utils;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which kubeconfig and which of its contexts are meant. The library itself takes the current
 * context, or none, where there is none of the name that was said.
 */
final class Kubeconfig {
  private final @Nullable Path named;
  private final List<Path> files;
  private final List<String> contexts;
  private final @Nullable String context;

  private Kubeconfig(
      @Nullable Path named, List<Path> files, List<String> contexts, @Nullable String context) {
    this.named = named;
    this.files = files;
    this.contexts = contexts;
    this.context = context;
  }

  /** What one file says about contexts. */
  private record Said(String current, List<String> contexts) {
    private static Said of(Section top) {
      return new Said(
          top.text("current-context", ""),
          top.sections("contexts").stream().flatMap(each -> each.text("name").stream()).toList());
    }
  }

  /**
   * Chooses, and reads no more than the names.
   *
   * @param named the file; null for those that kubectl would take
   * @param context its name; null for the current one
   * @throws StartFailure where there is no such file or context
   */
  static Kubeconfig choose(@Nullable Path named, @Nullable String context) {
    var files = named == null ? defaults() : List.of(named);
    var contexts = new ArrayList<String>();
    var wanted = context;
    for (var file : files) {
      var said = read(file);
      contexts.addAll(said.contexts());
      if (wanted == null && !said.current().isEmpty()) {
        wanted = said.current();
      }
    }
    var chosen = new Kubeconfig(named, files, contexts, wanted);
    if (wanted != null && !contexts.contains(wanted)) {
      throw new StartFailure(
          "%s has no context \"%s\"; %s".formatted(chosen, wanted, chosen.existing()));
    }
    return chosen;
  }

  List<String> contexts() {
    return List.copyOf(contexts);
  }

  /** Those of kubectl's that are there; none in a pod. */
  private static List<Path> defaults() {
    var all = Config.getKubeconfigFilenames().stream().filter(name -> !name.isEmpty()).toList();
    var there = all.stream().map(Path::of).filter(Files::isRegularFile).toList();
    if (there.isEmpty() && isKubeconfigSaid()) {
      throw new StartFailure(
          "could not read the kubeconfig: KUBECONFIG names %s, and there is no such file"
              .formatted(String.join(File.pathSeparator, all)));
    }
    return there;
  }

  private static boolean isKubeconfigSaid() {
    return Utils.getSystemPropertyOrEnvVar(Config.KUBERNETES_KUBECONFIG_FILE) != null;
  }

  private static Said read(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new StartFailure(
          "could not read the kubeconfig %s: there is no such file".formatted(file));
    }
    try {
      return Files.size(file) == 0 ? new Said("", List.of()) : SettingsReader.part(file, Said::of);
    } catch (BadSettings e) {
      throw new StartFailure(
          "could not use the kubeconfig %s".formatted(e.problems().getFirst()), e);
    } catch (IOException e) {
      throw new StartFailure("could not read the kubeconfig %s: %s".formatted(file, e), e);
    }
  }

  /** What the library makes of it. */
  Config read() {
    return named == null
        ? Config.autoConfigure(context)
        : Config.fromKubeconfig(context, named.toFile());
  }

  /**
   * Refuses to ask the address that the library makes up where nothing names one.
   *
   * @param address to be asked, by whomever it was said
   */
  void requireServer(Config read, @Nullable String address) {
    var isMadeUp = context == null && Objects.equals(address, read.getMasterUrl());
    if (isMadeUp && !files.isEmpty()) {
      throw new StartFailure(
          "%s has no current context: name one by --context; %s".formatted(this, existing()));
    }
    if (isMadeUp && Utils.getSystemPropertyOrEnvVar("KUBERNETES_SERVICE_HOST") == null) {
      throw new StartFailure(
          "there is no kubeconfig %s: name one by --kubeconfig or KUBECONFIG"
              .formatted(String.join(File.pathSeparator, Config.getKubeconfigFilenames())));
    }
  }

  private String existing() {
    return contexts.isEmpty() ? "it has none" : "it has: " + String.join(", ", contexts);
  }

  @Override
  public String toString() {
    return files.isEmpty()
        ? "the default kubeconfig"
        : files.stream()
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator, "the kubeconfig ", ""));
  }
}
