package dev.shipshape.janitor.restart;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.shipshape.service.Section;
import dev.shipshape.service.SettingsReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Describes how the log of a stuck operator looks. Read from a YAML file of the resources, or from
 * {@code signatures} of the settings: see docs/reference/settings.md.
 *
 * @param except lines that are no failure, nor is one that they are a part of
 * @param failingFor how long failures must go on
 * @param plain whether each line is a record, without time, level or JSON around its message
 * @param messageFields names of the message's field in JSON; the first that exists is used
 */
public record Signature(
    String name,
    boolean plain,
    List<String> messageFields,
    List<Pattern> failure,
    List<Pattern> except,
    List<Pattern> progress,
    int failureThreshold,
    Duration window,
    Duration failingFor,
    Duration resolveAfter,
    Remedy remedy,
    String advice) {

  /** What the janitor does with a stuck operator. */
  public enum Remedy {
    RESTART,
    /** Only reports it: a restart would not help. */
    REPORT
  }

  public static final List<String> SHIPPED =
      List.of("cfs-1.3", "cfs-1.4", "client-go", "fabric8", "kopf", "kubernetes-python");

  private static final List<String> MESSAGE_FIELDS = List.of("message", "msg", "log");

  /** Reads a shipped signature, one of {@link #SHIPPED}. */
  public static Signature shipped(String name) {
    return SettingsReader.shipped(Signature.class, "signatures/" + name + ".yaml", Signature::read);
  }

  /**
   * Finds a signature by name, first in those of the settings, then in the shipped ones.
   *
   * @throws IllegalArgumentException if it does not exist
   */
  public static Signature named(String name, List<Signature> own) {
    return own.stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .or(() -> SHIPPED.contains(name) ? Optional.of(shipped(name)) : Optional.empty())
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no signature %s; there are: %s"
                        .formatted(
                            name,
                            Stream.concat(own.stream().map(Signature::name), SHIPPED.stream())
                                .collect(Collectors.joining(", ")))));
  }

  /** Reads a signature, and reports each mistake to the section. */
  public static Signature read(Section section) {
    var window = section.positive("window", Duration.ofMinutes(2));
    var resolveAfter = section.positive("resolveAfter", window);
    if (resolveAfter.compareTo(window) > 0) {
      section.problem("resolveAfter", "must not be longer than window");
    }
    var failingFor = section.duration("failingFor", Duration.ZERO);
    if (failingFor.compareTo(window) >= 0) {
      section.problem("failingFor", "must be shorter than window");
    }
    var plain = section.flag("plain", false);
    var field = section.text("messageField");
    if (plain && field.isPresent()) {
      section.problem("messageField", "is for JSON, which plain: true does not read");
    }
    var failure = section.texts("failure", Signature::compile);
    if (failure.isEmpty()) {
      section.problem("failure", "must have a pattern that compiles");
    }
    var name = section.required("name");
    return new Signature(
        name,
        plain,
        field.map(List::of).orElse(MESSAGE_FIELDS),
        failure,
        section.texts("except", Signature::compile),
        section.texts("progress", Signature::compile),
        section.integer("failureThreshold", 5, 2, 1_000),
        window,
        failingFor,
        resolveAfter,
        section.choice("remedy", Remedy.RESTART),
        section.required("advice"));
  }

  /** Returns a copy with these; what would not fit into the window is shortened. */
  public Signature with(int failureThreshold, Duration window) {
    var resolve = resolveAfter.compareTo(window) > 0 ? window : resolveAfter;
    var failing = failingFor.compareTo(window) < 0 ? failingFor : window.dividedBy(2);
    return new Signature(
        name,
        plain,
        messageFields,
        failure,
        except,
        progress,
        failureThreshold,
        window,
        failing,
        resolve,
        remedy,
        advice);
  }

  private static Pattern compile(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("must not be empty: it would match every line");
    }
    try {
      return Pattern.compile(text);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "does not compile (the syntax is RE2's): " + e.getMessage(), e);
    }
  }

  boolean isFailure(String text) {
    return matches(failure, text);
  }

  boolean isException(String text) {
    return matches(except, text);
  }

  boolean isProgress(String text) {
    return matches(progress, text);
  }

  private static boolean matches(List<Pattern> patterns, String text) {
    for (var pattern : patterns) {
      if (pattern.matcher(text).find()) {
        return true;
      }
    }
    return false;
  }
}
