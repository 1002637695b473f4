package dev.shipshape.webhook.review;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.shipshape.webhook.review.Reading.Malformed;
import dev.shipshape.webhook.review.Reading.Understood;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads AdmissionReview v1. Whatever the bytes are, it gives a reading and throws nothing. */
public final class ReviewReader {
  /** Deeper than any configuration, and far from what a thread's stack can bear. */
  private static final int DEEPEST = 200;

  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEEPEST)
                  .maxNumberLength(400)
                  .maxNameLength(4096)
                  .build())
          .build();

  static final JsonMapper MAPPER =
      JsonMapper.builder(FACTORY)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          // A double cannot hold 1e400, and two such numbers would become one.
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private ReviewReader() {}

  /** Reads a whole body. */
  public static Reading read(byte[] body) {
    if (body.length == 0) {
      return new Malformed(null, "the body is empty");
    }
    var review = new ReviewParser(body);
    var problem = problemOf(review);
    return problem == null
        ? new Understood(review.request())
        : new Malformed(review.uid(), problem);
  }

  /** The uid in a body that is refused already, or in the beginning of one; null if not found. */
  public static @Nullable String uidOf(byte[] beginning) {
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
