package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/** The hash of the canonical JSON of one top-level field, normalised by rules. */
public final class Identity {
  private final String content;
  private final Normaliser normaliser;
  private final Normaliser secrets;
  private final boolean hasSecrets;

  /**
   * @param content the top-level field with the configuration, such as {@code spec}
   * @param absences values that mean the same as a missing field, in all fields
   * @param rules further normalisation, by path within the content
   * @param secrets paths of secrets, which are in no hash: a weak secret could be guessed from it
   */
  public Identity(String content, Set<EmptyValues> absences, RuleTree rules, RuleTree secrets) {
    this.content = content;
    this.normaliser = new Normaliser(absences, rules);
    this.hasSecrets = !secrets.isEmpty();
    this.secrets = new Normaliser(Set.of(), secrets);
  }

  /** The top-level field with the configuration. */
  public String content() {
    return content;
  }

  /** Whether the object has a value at a secret path, which its hash does not cover. */
  public boolean holdsSecrets(JsonNode object) {
    return hasSecrets
        && !withoutSecrets(object).equals(Normaliser.NOTHING.normalise(object.path(content)));
  }

  /** Hashes any JSON; throws nothing. */
  public ConfigHash hash(JsonNode object) {
    return ConfigHash.of(canonical(object));
  }

  /** The canonical JSON that is hashed. */
  public byte[] canonical(JsonNode object) {
    return CanonicalJson.write(normaliser.normalise(object.path(content)));
  }

  /** The content without secrets, not normalised. */
  public JsonNode withoutSecrets(JsonNode object) {
    var value = object.path(content);
    return hasSecrets ? secrets.normalise(value) : value;
  }
}
