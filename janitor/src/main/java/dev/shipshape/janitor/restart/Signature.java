package dev.shipshape.janitor.restart;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.Section;
import dev.shipshape.service.SettingsReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How the log of a kind of operator shows that it is stuck: data, from a YAML file beside the code
 * or from {@code signatures} of the settings: see docs/reference/settings.md.
 *
 * @param messageFields the first that a JSON line has wins
 */
public record Signature(
    String name,
    LogFrame frame,
    List<String> messageFields,
    List<Pattern> failure,
    List<Pattern> progress,
    int repetitions,
    Duration window,
    Duration resolveAfter,
    Remedy remedy,
    String advice) {

  /** What is done about an operator that is stuck so. */
  public enum Remedy {
    RESTART,
    /** People are told, and it is never restarted: a restart is no cure. */
    TELL
  }

  /** The names of those that are shipped. */
  public static final List<String> SHIPPED =
      List.of("cfs-1.3", "cfs-1.4", "client-go", "fabric8", "kopf", "kubernetes-python");

  private static final List<String> MESSAGE_FIELDS = List.of("message", "msg", "log");

  /**
   * One that is shipped.
   *
   * @param name one of {@link #SHIPPED}
   */
  public static Signature shipped(String name) {
    try (var file = Signature.class.getResourceAsStream("signatures/" + name + ".yaml")) {
      var yaml =
          new String(Objects.requireNonNull(file, name).readAllBytes(), StandardCharsets.UTF_8);
      return parse(name + ".yaml", yaml);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (BadSettings e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The one of a name, the settings' own before those that are shipped.
   *
   * @throws IllegalArgumentException if there is none
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

  /**
   * Reads one from a text.
   *
   * @param file what to call the text in messages
   * @throws BadSettings with every mistake in it
   */
  public static Signature parse(String file, String yaml) throws BadSettings {
    return SettingsReader.parse(file, yaml, Signature::read);
  }

  /** Reads one, and reports each mistake to the section. */
  public static Signature read(Section section) {
    var window = section.positive("window", Duration.ofMinutes(2));
    var resolveAfter = section.positive("resolveAfter", window);
    if (resolveAfter.compareTo(window) > 0) {
      section.problem("resolveAfter", "must not be longer than window");
    }
    var field = section.text("messageField");
    var frame = section.choice("frame", LogFrame.AUTO);
    if (field.isPresent() && frame != LogFrame.JSON && frame != LogFrame.AUTO) {
      section.problem("messageField", "is for frame: json, or auto");
    }
    var failure = section.texts("failure", Signature::compile);
    if (failure.isEmpty()) {
      section.problem("failure", "must have a pattern that compiles");
    }
    var name = section.required("name");
    return new Signature(
        name,
        frame,
        field.map(List::of).orElse(MESSAGE_FIELDS),
        failure,
        section.texts("progress", Signature::compile),
        section.integer("repetitions", 5, 2, 1_000),
        window,
        resolveAfter,
        section.choice("remedy", Remedy.RESTART),
        section.required("advice"));
  }

  /** The same with other numbers. */
  public Signature with(int repetitions, Duration window) {
    var resolve = resolveAfter.compareTo(window) > 0 ? window : resolveAfter;
    return new Signature(
        name,
        frame,
        messageFields,
        failure,
        progress,
        repetitions,
        window,
        resolve,
        remedy,
        advice);
  }

  private static Pattern compile(String text) {
    try {
      return Pattern.compile(text);
    } catch (PatternSyntaxException e) {
      // The library names the part that is wrong; what never ends is wrong at its end.
      var part = e.getPattern();
      var at = part.equals(text) ? text.length() : text.indexOf(part);
      throw new IllegalArgumentException(
          "does not compile, at character %d: %s: %s (the syntax is RE2's)"
              .formatted(at + 1, e.getDescription(), part),
          e);
    }
  }

  boolean isFailure(String text) {
    return matches(failure, text);
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
