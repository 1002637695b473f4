package dev.shipshape.webhook.review;

import java.io.IOException;

/** An object that is well-formed but cannot be what it seems: it has a member twice. */
public final class UnreadableObject extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnreadableObject(IOException cause) {
    super("an object in the review is " + ReviewReader.problem(cause), cause);
  }
}
