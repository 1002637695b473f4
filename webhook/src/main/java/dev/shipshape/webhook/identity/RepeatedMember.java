package dev.shipshape.webhook.identity;

import java.io.IOException;

/** An object has a member twice, so that it is doubtful what it says. */
public final class RepeatedMember extends IOException {
  private static final long serialVersionUID = 1L;

  RepeatedMember(String name) {
    super("an object has the member %s twice".formatted(name));
  }
}
