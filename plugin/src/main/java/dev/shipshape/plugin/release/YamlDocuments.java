package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.regex.Pattern;

/** Reads objects in YAML or JSON, several in one text. */
public final class YamlDocuments {
  private static final Pattern BETWEEN = Pattern.compile("(?m)^---.*$");

  private YamlDocuments() {}

  /**
   * Returns the objects of a text in their order, without empty documents.
   *
   * @throws RuntimeException if a document is no YAML or no object; the library throws several
   *     types
   */
  public static List<ObjectNode> read(String yaml) {
    return BETWEEN
        .splitAsStream(yaml)
        .filter(document -> !document.lines().allMatch(YamlDocuments::saysNothing))
        .map(document -> Serialization.unmarshal(document, ObjectNode.class))
        .toList();
  }

  private static boolean saysNothing(String line) {
    return line.isBlank() || line.startsWith("#");
  }
}
