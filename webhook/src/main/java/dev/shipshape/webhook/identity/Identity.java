package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * What makes two objects of one kind the same configuration: the content at one top-level field,
 * normalised by rules, as canonical JSON, hashed.
 */
public final class Identity {
  private final String content;
  private final Set<EmptyValues> absences;
  private final RuleTree rules;
  private final RuleTree secrets;
  private final boolean hasSecrets;

  /**
   * @param content the top-level field to look at, such as {@code spec}
   * @param absences values that everywhere mean the same as a field's absence
   * @param rules what else means the same, by places within the content
   * @throws IllegalArgumentException where rules contradict each other
   */
  public Identity(String content, Set<EmptyValues> absences, List<Rule> rules) {
    this.content = content;
    this.absences = Set.copyOf(absences);
    this.rules = RuleTree.of(rules);
    var secret = rules.stream().filter(Rule.Secret.class::isInstance).toList();
    this.hasSecrets = !secret.isEmpty();
    this.secrets = RuleTree.of(secret);
  }

  /** The top-level field that is looked at. */
  public String content() {
    return content;
  }

  /** Whether the object holds something at a place of a secret, which no hash of it shows. */
  public boolean holdsSecrets(JsonNode object) {
    var value = object.path(content);
    return hasSecrets
        && !CanonicalJson.write(value, Set.of(), secrets).holdsSame(CanonicalJson.canonical(value));
  }

  /**
   * As {@link #holdsSecrets(JsonNode)}, from the content alone.
   *
   * @throws IOException where an object has a member twice
   */
  public boolean holdsSecrets(byte[] json, int from, int length) throws IOException {
    return hasSecrets
        && !withoutSecrets(json, from, length)
            .holdsSame(Canonicaliser.write(json, from, length, Set.of(), RuleTree.EMPTY));
  }

  /** The object's hash. Any JSON has one; nothing is thrown. */
  public ConfigHash hash(JsonNode object) {
    return ConfigHash.of(write(object));
  }

  /**
   * The hash of an object from its content alone, where that is within an array.
   *
   * @param json where a parser has found the content to be well-formed JSON
   * @param length of the content in bytes; 0 where the object has none
   * @throws IOException where an object has a member twice
   */
  public ConfigHash hashContent(byte[] json, int from, int length) throws IOException {
    return ConfigHash.of(Canonicaliser.write(json, from, length, absences, rules));
  }

  Utf8Buffer withoutSecrets(byte[] json, int from, int length) throws IOException {
    return Canonicaliser.write(json, from, length, Set.of(), secrets);
  }

  /** The bytes that are hashed. */
  public byte[] canonical(JsonNode object) {
    return write(object).bytes();
  }

  /** The content without its secrets in canonical form, before any other rule. */
  public byte[] written(JsonNode object) {
    return CanonicalJson.write(object.path(content), Set.of(), secrets).bytes();
  }

  private Utf8Buffer write(JsonNode object) {
    return CanonicalJson.write(object.path(content), absences, rules);
  }
}
