package dev.shipshape.webhook.validation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.identity.Identity;
import dev.shipshape.webhook.known.Evidence;
import java.util.List;

/**
 * When equal hashes do not prove equal configurations. Secrets are in no hash, so an object that
 * holds one says more than its hash does: the one that failed may have failed for its password, and
 * the one that is written may be the one that repairs it. Such a match is told, and refuses
 * nothing. It is proof only where what is written and one of those known invalid hold no secret at
 * all.
 */
final class SecretPolicy {
  private SecretPolicy() {}

  /**
   * @param written the object that is written
   * @param equals what is known invalid and has the same hash
   */
  static boolean about(Identity identity, JsonNode written, List<Evidence> equals) {
    return identity.holdsSecrets(written) || equals.stream().allMatch(Evidence::holdsSecrets);
  }
}
