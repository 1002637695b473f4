package dev.shipshape.plugin.review;

import com.fasterxml.jackson.core.JsonFactory;
import dev.shipshape.audit.UnreadableLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads manifests as kubectl does, with the lines of objects: YAML with several documents, JSON
 * values one behind another, lists, and the output of {@code helm template} or {@code kustomize
 * build}. Continues behind what it cannot read.
 */
public record ManifestReader(
    String file,
    Predicate<String> isRelevant,
    Consumer<ManifestObject> objects,
    Consumer<Problem> problems) {
  private static final int LARGEST_BUFFER = 1024 * 1024;

  private static final JsonFactory JSON = new JsonFactory();
  private static final String DOCUMENT = "---";
  private static final String SOURCE = "# Source: ";
  private static final Pattern MARK = Pattern.compile("(?m)^\ufeff");

  /** To kubectl, it ends a document; to YAML, it begins a text. */
  private static final Pattern COMMENTED = Pattern.compile("(?m)^---#");

  /** Line ends of YAML 1.1, which kubectl reads. */
  private static final String OLD_LINE_ENDS = "\u0085\u2028\u2029";

  private static final Pattern NAME_OF_KIND = Pattern.compile("\\w+");
  private static final Pattern KIND = Pattern.compile("(?m)^kind:\\s*[\"']?(\\w+)");

  /**
   * Reads a file, or standard input if it is -.
   *
   * @param isRelevant whether a kind matters: faults in objects of other kinds are only notes, and
   *     an empty list is an object only if its kind matters
   */
  public static void read(
      String file,
      Predicate<String> isRelevant,
      Consumer<ManifestObject> objects,
      Consumer<Problem> problems) {
    try {
      var bytes = file.equals("-") ? System.in.readAllBytes() : Files.readAllBytes(Path.of(file));
      var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      new ManifestReader(file, isRelevant, objects, problems).readText(text);
    } catch (NoSuchFileException e) {
      problems.accept(new Problem(file, 1, "there is no such file"));
    } catch (CharacterCodingException e) {
      problems.accept(new Problem(file, 1, "is not UTF-8"));
    } catch (IOException e) {
      problems.accept(new Problem(file, 1, "cannot be read: " + UnreadableLog.reason(e)));
    }
  }

  /** Reads each document by itself, so that a mistake affects one document only. */
  private void readText(String marked) {
    // The text may be several files in one, each with a byte order mark.
    var unmarked = marked.indexOf('\ufeff') < 0 ? marked : MARK.matcher(marked).replaceAll("");
    var text = COMMENTED.matcher(unmarked).replaceAll("--- #");
    var line = 1;
    for (var begin = 0; begin < text.length(); ) {
      var end = endOfDocument(text, begin);
      var document = text.substring(begin, end);
      var content = document.startsWith(DOCUMENT) ? "   " + document.substring(3) : document;
      var start = content.stripLeading();
      if (start.startsWith("{") || start.startsWith("[")) {
        readJson(content, line);
      } else if (!hasOldLineEnd(document, line)
          && !document.lines().allMatch(ManifestReader::isCommentOrDirective)) {
        readYaml(document, line);
      }
      line += lines(document);
      begin = end;
    }
  }

  /** Three dashes at the margin always divide documents in YAML, and do not occur in JSON. */
  private static int endOfDocument(String text, int begin) {
    for (var at = begin; ; at++) {
      at = text.indexOf("\n" + DOCUMENT, at);
      if (at < 0) {
        return text.length();
      }
      var behind = at + 1 + DOCUMENT.length();
      if (behind == text.length() || Character.isWhitespace(text.charAt(behind))) {
        return at + 1;
      }
    }
  }

  private static boolean isCommentOrDirective(String line) {
    return line.isBlank() || line.startsWith("#") || line.startsWith("%");
  }

  private static int lines(String text) {
    return (int) text.chars().filter(each -> each == '\n').count();
  }

  /** JSON is YAML, except for tabs as indentation and several values in one text. */
  private void readJson(String text, int firstLine) {
    var line = firstLine;
    var begin = 0;
    for (var end : endsOfJson(text)) {
      var value = text.substring(begin, end);
      readYaml(value.replace('\t', ' '), line);
      line += lines(value);
      begin = end;
    }
    // The rest after a mistake in JSON; or YAML that begins like JSON.
    var left = text.substring(begin);
    // Jsonnet ends a stream with the mark for the end of a document.
    if (!left.isBlank() && !left.strip().equals("...") && !hasOldLineEnd(left, line)) {
      readYaml(left.replace('\t', ' '), line);
    }
  }

  /** Returns where JSON's values end, up to the first mistake. */
  private static List<Integer> endsOfJson(String text) {
    var ends = new ArrayList<Integer>();
    try (var parser = JSON.createParser(text)) {
      while (parser.nextToken() != null) {
        parser.skipChildren();
        ends.add((int) parser.currentLocation().getCharOffset());
      }
    } catch (IOException e) {
      // The YAML reader describes the mistake better.
    }
    return ends;
  }

  /** What follows such a line end would be read here as a part of a comment or text. */
  private boolean hasOldLineEnd(String text, int firstLine) {
    // Each document is searched: by indexOf a tenth of a review is saved.
    var end = OLD_LINE_ENDS.chars().map(text::indexOf).filter(at -> at >= 0).min();
    if (end.isEmpty()) {
      return false;
    }
    var line = firstLine + lines(text.substring(0, end.getAsInt()));
    var code = (int) text.charAt(end.getAsInt());
    notYaml(text, line, "has U+%04X, which kubectl takes for a line end".formatted(code));
    return true;
  }

  private void readYaml(String text, int firstLine) {
    try {
      var settings =
          LoadSettings.builder()
              .setCodePointLimit(Integer.MAX_VALUE)
              // For each buffer, the library copies the whole scalar.
              .setBufferSize(Math.clamp(text.length(), 1024, LARGEST_BUFFER))
              .build();
      var events = new Parse(settings).parseString(text).iterator();
      while (events.hasNext()) {
        if (events.next() instanceof DocumentStartEvent) {
          read(new DocumentReader(events, file, firstLine), source(text));
        }
      }
    } catch (MarkedYamlEngineException e) {
      var line = e.getProblemMark().map(mark -> mark.getLine()).orElse(0);
      notYaml(text, firstLine + line, e.getProblem());
    } catch (ReaderException e) {
      var before = text.substring(0, text.offsetByCodePoints(0, e.getPosition()));
      notYaml(text, firstLine + lines(before), "has U+%04X".formatted(e.getCodePoint()));
    } catch (YamlEngineException e) {
      notYaml(text, firstLine, String.valueOf(e.getMessage()));
    }
  }

  private void notYaml(String text, int line, String message) {
    var kinds = KIND.matcher(text).results().map(found -> found.group(1)).toList();
    var isOther =
        !kinds.isEmpty()
            && kinds.stream().noneMatch(kind -> kind.endsWith("List") || isRelevant.test(kind));
    problems.accept(new Problem(file, line, "not YAML: " + message, isOther));
  }

  /** Returns the template that helm template names in a comment. */
  private static String source(String text) {
    return text.lines()
        .takeWhile(line -> line.startsWith(DOCUMENT) || isCommentOrDirective(line))
        .filter(line -> line.startsWith(SOURCE))
        .findFirst()
        .map(line -> line.substring(SOURCE.length()).strip())
        .orElse("");
  }

  private void read(DocumentReader document, String source) {
    var object = document.read(source);
    var left = new LinkedHashSet<>(document.faults());
    object.ifPresent(each -> flatten(each, left));
    // A fault of the list itself may affect all its items.
    left.stream().limit(1).forEach(problems);
  }

  /** Replaces a list by its items. As for kubectl, an object with an array of items is a list. */
  private void flatten(ManifestObject object, Set<Problem> left) {
    var items = object.json().path("items");
    var isEmpty = items.isEmpty() && isRelevant.test(object.text("/kind"));
    if (items.isArray() && !isEmpty) {
      for (var at = 0; at < items.size(); at++) {
        object
            .within("/items/" + at)
            .ifPresentOrElse(
                item -> flatten(item, left),
                () ->
                    problems.accept(
                        new Problem(file, object.line(), "has an item that is no object")));
      }
      return;
    }
    var faults = object.place().faults();
    left.removeAll(faults);
    var missing =
        Stream.of("apiVersion", "kind")
            .filter(field -> object.text("/" + field).isEmpty())
            .map(field -> new Problem(file, object.line(), "is an object without " + field))
            .findFirst()
            .or(() -> unknownKind(object));
    var metadata = object.json().path("metadata");
    var wrong =
        metadata.isMissingNode() || metadata.isNull() || metadata.isObject()
            ? Optional.<Problem>empty()
            : Optional.of(new Problem(file, object.line(), "has metadata that is no mapping"));
    var fault = faults.stream().findFirst().or(() -> missing).or(() -> wrong);
    var isOther = missing.isEmpty() && !isRelevant.test(object.text("/kind"));
    fault.ifPresent(each -> problems.accept(isOther ? each.asNote() : each));
    if (fault.isEmpty() || isOther) {
      objects.accept(object);
    }
  }

  /** A later step puts in another, which may be one that a guard is for. */
  private Optional<Problem> unknownKind(ManifestObject object) {
    var kind = object.text("/kind");
    return NAME_OF_KIND.matcher(kind).matches()
        ? Optional.empty()
        : Optional.of(
            new Problem(
                file,
                object.line(),
                "has the kind \"%s\", which no object has: review what comes out of the step that"
                        .formatted(kind)
                    + " decrypts or replaces it"));
  }
}
