package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.Set;

/**
 * The hash of an object's canonical form, made member by member, so that the whole of it is never
 * in memory. Members are given in the order of their names.
 */
public final class ObjectDigest {
  private final MessageDigest digest = ConfigHash.sha256();
  private byte before = '{';

  /** Adds a member. */
  public void member(String name, JsonNode value) {
    add(name, CanonicalJson.canonical(value));
  }

  /**
   * Adds a member whose value is within an array.
   *
   * @param json where a parser has found the value to be well-formed JSON
   * @throws IOException where an object has a member twice
   */
  public void member(String name, byte[] json, int from, int length) throws IOException {
    add(name, Canonicaliser.write(json, from, length, Set.of(), RuleTree.EMPTY));
  }

  /** Adds the content, without its secrets. */
  public void content(Identity identity, byte[] json, int from, int length) throws IOException {
    add(identity.content(), identity.withoutSecrets(json, from, length));
  }

  private void add(String name, Utf8Buffer value) {
    var written = new Utf8Buffer(name.length());
    written.put(before);
    CanonicalText.write(written, name);
    written.put(':');
    written.feed(digest);
    value.feed(digest);
    before = ',';
  }

  /** The hash, at the end. */
  public ConfigHash finish() {
    if (before == '{') {
      digest.update(before);
    }
    digest.update((byte) '}');
    return ConfigHash.ofDigest(digest.digest());
  }
}
