package dev.shipshape.webhook.admission;

import java.io.IOException;

/** An object that cannot be judged: it has a member twice, or is too large. */
public final class UnreadableObject extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnreadableObject(String problem) {
    super(problem);
  }

  UnreadableObject(IOException cause) {
    super("an object in the review is " + ReviewDecoder.problem(cause), cause);
  }
}
