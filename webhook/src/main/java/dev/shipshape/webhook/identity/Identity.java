package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.Set;

/**
 * What makes two objects of one kind the same configuration: the content at one top-level field,
 * normalised by rules, as canonical JSON, hashed.
 */
public final class Identity {
  private final String content;
  private final Normaliser normaliser;
  private final Normaliser secrets;
  private final boolean hasSecrets;

  /**
   * @param content the top-level field to look at, such as {@code spec}
   * @param absences values that everywhere mean the same as a field's absence
   * @param rules what else means the same, by places within the content
   * @param secrets what is dropped because it holds a secret: in no hash, lest a weak one be
   *     guessed from it
   */
  public Identity(String content, Set<EmptyValues> absences, RuleTree rules, RuleTree secrets) {
    this.content = content;
    this.normaliser = new Normaliser(absences, rules);
    this.hasSecrets = !secrets.isEmpty();
    this.secrets = new Normaliser(Set.of(), secrets);
  }

  /** The top-level field that is looked at. */
  public String content() {
    return content;
  }

  /** Whether the object holds something at a place of a secret, which no hash of it shows. */
  public boolean holdsSecrets(JsonNode object) {
    return hasSecrets && !Arrays.equals(written(object), CanonicalJson.write(object.path(content)));
  }

  /** The object's hash. Any JSON has one; nothing is thrown. */
  public ConfigHash hash(JsonNode object) {
    return ConfigHash.of(canonical(object));
  }

  /** The bytes that are hashed. */
  public byte[] canonical(JsonNode object) {
    return CanonicalJson.write(normaliser.normalise(object.path(content)));
  }

  /** The content without its secrets, before any other rule. */
  public JsonNode withoutSecrets(JsonNode object) {
    var value = object.path(content);
    return hasSecrets ? secrets.normalise(value) : value;
  }

  /** The same in canonical form. */
  public byte[] written(JsonNode object) {
    return CanonicalJson.write(withoutSecrets(object));
  }
}
