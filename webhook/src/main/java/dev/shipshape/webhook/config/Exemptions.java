package dev.shipshape.webhook.config;

import java.util.Collection;
import java.util.Collections;
import java.util.Set;

/**
 * Who is never refused.
 *
 * @param users names of users, service accounts in full ({@code system:serviceaccount:ns:name})
 * @param groups names of groups
 */
public record Exemptions(Set<String> users, Set<String> groups) {
  /** Everybody is. */
  public static final Exemptions NOBODY = new Exemptions(Set.of(), Set.of());

  public Exemptions {
    users = Set.copyOf(users);
    groups = Set.copyOf(groups);
  }

  /** Whether a user of this name and these groups is never refused. */
  public boolean cover(String user, Collection<String> memberOf) {
    return users.contains(user) || !Collections.disjoint(groups, memberOf);
  }
}
