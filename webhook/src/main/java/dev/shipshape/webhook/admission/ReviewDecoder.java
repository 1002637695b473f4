package dev.shipshape.webhook.admission;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Decodes AdmissionReview v1. Whatever the bytes are, there is a result and no exception. */
public final class ReviewDecoder {
  private ReviewDecoder() {}

  /** Decodes a whole body. */
  public static Decoded decode(byte[] body) {
    if (body.length == 0) {
      return new Decoded.Malformed(null, "the body is empty");
    }
    var review = new ReviewParser(body);
    var problem = problemOf(review);
    return problem == null
        ? new Decoded.Request(review.request())
        : new Decoded.Malformed(review.uid(), problem);
  }

  /** The uid in a body that is refused already, or in the beginning of one; null if not found. */
  static @Nullable String uidOf(byte[] beginning) {
    var review = new ReviewParser(beginning);
    // Whether it is malformed or cut off besides makes no difference.
    var ignored = problemOf(review);
    return review.uid();
  }

  private static @Nullable String problemOf(ReviewParser review) {
    try {
      review.parse();
      return null;
    } catch (MalformedReview e) {
      return e.getMessage();
    } catch (IOException e) {
      return problem(e);
    }
  }

  /** What is wrong with bytes that could not be read. */
  static String problem(IOException failure) {
    return failure instanceof JsonProcessingException e
        ? "not valid JSON at byte %d: %s"
            .formatted(
                e.getLocation() == null ? 0 : e.getLocation().getByteOffset(),
                e.getOriginalMessage())
        : "not readable: " + failure.getMessage();
  }
}
