package dev.shipshape.webhook;

import dev.shipshape.webhook.review.AdmissionRequest;
import java.util.Collections;
import java.util.Set;

/**
 * Who is never refused.
 *
 * @param users names of users, service accounts in full ({@code system:serviceaccount:ns:name})
 * @param groups names of groups
 */
public record Exemptions(Set<String> users, Set<String> groups) {
  public Exemptions {
    users = Set.copyOf(users);
    groups = Set.copyOf(groups);
  }

  boolean cover(AdmissionRequest request) {
    return users.contains(request.user()) || !Collections.disjoint(groups, request.groups());
  }
}
