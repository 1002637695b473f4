package dev.shipshape.audit;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Encodes events as bytes, for sorting and for temporary files. They sort by the request's arrival;
 * the stages of one request follow each other. Not thread-safe.
 */
final class EventCodec {
  /** In characters: names, users and programs are shorter. */
  private static final int LONGEST_SHARED = 256;

  private static final Stage[] STAGES = Stage.values();

  enum Order {
    /** When the API server received the request. */
    RECEIVED,
    /** The object's path, then its uid, then its resourceVersion; events without one come last. */
    VERSION
  }

  /** Texts that many events have, once each: what is remembered of events would not fit else. */
  private final Map<String, String> shared = new Bounded<>(4096);

  private final Line.Detail detail;
  private final Order order;
  private ByteBuffer out = ByteBuffer.allocate(8 << 10);

  EventCodec(Line.Detail detail, Order order) {
    this.detail = detail;
    this.order = order;
  }

  /** Copies the line's bytes: most events are never used as text. */
  byte[] encode(Line line, boolean asked) {
    out.clear();
    if (order == Order.VERSION) {
      text(path(line));
      text(line.uid());
      number(version(line.version()));
    }
    // Bytes are compared as unsigned.
    number(line.received() ^ Long.MIN_VALUE);
    copy(line, Field.AUDIT_ID);
    copy(line, Field.VERB);
    copy(line, Field.URI);
    number(line.stage().order());
    number(line.staged());
    text(line.source());
    copy(line, Field.LEVEL);
    copy(line, Field.USER);
    copy(line, Field.IMPERSONATED);
    copy(line, Field.AGENT);
    copy(line, Field.SOURCE_IPS);
    copy(line, Field.GROUP);
    copy(line, Field.RESOURCE);
    copy(line, Field.SUBRESOURCE);
    text(line.namespace());
    text(line.name());
    number(line.code());
    text(line.message());
    number(line.isTruncated() ? 1 : 0);
    number(line.size());
    number(asked ? 1 : 0);
    var heads = detail != Line.Detail.HEAD;
    number(heads && line.isTerminating() ? 1 : 0);
    number(heads && line.isDryRun() ? 1 : 0);
    text(heads ? line.uid() : line.text(Field.UID));
    text(heads ? line.version() : "");
    text(heads ? line.sentVersion() : "");
    var bodies = detail == Line.Detail.BODIES;
    text(bodies ? line.body(Field.REQUEST) : null);
    text(bodies ? line.body(Field.RESPONSE) : null);
    return Arrays.copyOf(out.array(), out.position());
  }

  LoggedRequest decode(byte[] bytes) {
    var in = ByteBuffer.wrap(bytes);
    if (order == Order.VERSION) {
      skipText(in);
      skipText(in);
      in.getLong();
    }
    var received = in.getLong() ^ Long.MIN_VALUE;
    var auditId = text(in);
    var verb = shared(in);
    var uri = text(in);
    var stage = STAGES[(int) in.getLong()];
    var staged = in.getLong();
    var source = shared(in);
    var level = shared(in);
    var user = shared(in);
    var impersonated = shared(in);
    var event =
        new AuditEvent(
            received,
            staged,
            stage,
            level,
            auditId,
            uri,
            verb,
            impersonated.isEmpty() ? user : impersonated,
            impersonated.isEmpty() ? "" : user,
            shared(in),
            shared(in),
            new ObjectRef(shared(in), shared(in), shared(in), shared(in), shared(in)),
            (int) in.getLong(),
            shared(in),
            in.getLong() == 1,
            source,
            (int) in.getLong(),
            in.getLong() == 1,
            in.getLong() == 1,
            in.getLong() == 1,
            shared(in),
            text(in),
            text(in));
    return new LoggedRequest(event, body(in), body(in));
  }

  /** Without the subresource: writes of status and scale are writes of the same object. */
  private static String path(Line line) {
    return String.join(
        "/", line.text(Field.RESOURCE), line.text(Field.GROUP), line.namespace(), line.name());
  }

  /** Versions are numbers if they are etcd's; others come last. */
  private static long version(String version) {
    try {
      return Long.parseLong(version);
    } catch (NumberFormatException e) {
      return Long.MAX_VALUE;
    }
  }

  private static void skipText(ByteBuffer in) {
    in.position(in.position() + Integer.BYTES + in.getInt(in.position()));
  }

  private void number(long number) {
    room(Long.BYTES);
    out.putLong(number);
  }

  private void copy(Line line, Field field) {
    if (line.hasEscapes(field)) {
      text(line.text(field));
      return;
    }
    var length = line.length(field);
    room(Integer.BYTES + length);
    out.putInt(length).put(line.bytes(), Math.max(0, line.from(field)), length);
  }

  private void text(@Nullable String text) {
    if (text == null) {
      room(Integer.BYTES);
      out.putInt(-1);
      return;
    }
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    room(Integer.BYTES + bytes.length);
    out.putInt(bytes.length).put(bytes);
  }

  private void room(int bytes) {
    if (out.remaining() < bytes) {
      var larger = ByteBuffer.allocate(Math.max(out.capacity() * 2, out.position() + bytes));
      out = larger.put(out.flip());
    }
  }

  private String shared(ByteBuffer in) {
    var text = text(in);
    return text.length() > LONGEST_SHARED ? text : shared.computeIfAbsent(text, one -> one);
  }

  private static String text(ByteBuffer in) {
    var text = body(in);
    return text == null ? "" : text;
  }

  @SuppressWarnings("ByteBufferBackingArray") // It wraps the whole of one, from the start.
  private static @Nullable String body(ByteBuffer in) {
    var length = in.getInt();
    if (length < 0) {
      return null;
    }
    var text = new String(in.array(), in.position(), length, StandardCharsets.UTF_8);
    in.position(in.position() + length);
    return text;
  }
}
