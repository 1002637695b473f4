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
    /**
     * The object's path, then its uid, then its resourceVersion; events without one come last. Of
     * one version, the request that was answered first comes first: usually it has made it.
     */
    VERSION
  }

  /** Texts that many events have, once each: what is remembered of events would not fit else. */
  private final Map<String, String> shared = new Bounded<>(4096);

  private final RawEvent.Detail detail;
  private final Order order;
  private ByteBuffer out = ByteBuffer.allocate(8 << 10);

  EventCodec(RawEvent.Detail detail, Order order) {
    this.detail = detail;
    this.order = order;
  }

  /** Copies the bytes of an event: most events are never used as text. */
  byte[] encode(RawEvent event, boolean asked) {
    out.clear();
    if (order == Order.VERSION) {
      text(path(event));
      text(event.uid());
      number(version(event.version()));
      number(event.staged());
    }
    // Bytes are compared as unsigned.
    number(event.received() ^ Long.MIN_VALUE);
    copy(event, Field.AUDIT_ID);
    copy(event, Field.VERB);
    copy(event, Field.URI);
    number(event.stage().order());
    number(event.staged());
    text(event.source());
    copy(event, Field.LEVEL);
    copy(event, Field.USER);
    copy(event, Field.IMPERSONATED);
    copy(event, Field.AGENT);
    copy(event, Field.SOURCE_IPS);
    copy(event, Field.GROUP);
    copy(event, Field.RESOURCE);
    copy(event, Field.SUBRESOURCE);
    text(event.namespace());
    text(event.name());
    number(event.code());
    text(event.message());
    number(event.isTruncated() ? 1 : 0);
    number(event.size());
    number(asked ? 1 : 0);
    var versions = detail != RawEvent.Detail.HEAD;
    number(versions && event.isTerminating() ? 1 : 0);
    number(versions && event.isGone() ? 1 : 0);
    number(versions && event.isDryRun() ? 1 : 0);
    text(versions ? event.uid() : event.text(Field.UID));
    text(versions ? event.version() : "");
    text(versions ? event.sentVersion() : "");
    var bodies = detail == RawEvent.Detail.BODIES;
    text(bodies ? event.body(Field.REQUEST) : null);
    text(bodies ? event.body(Field.RESPONSE) : null);
    return Arrays.copyOf(out.array(), out.position());
  }

  LoggedRequest decode(byte[] bytes) {
    var in = ByteBuffer.wrap(bytes);
    if (order == Order.VERSION) {
      skipText(in);
      skipText(in);
      in.position(in.position() + 2 * Long.BYTES);
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
            in.getLong() == 1,
            shared(in),
            text(in),
            text(in));
    return new LoggedRequest(event, body(in), body(in));
  }

  /** Without the subresource: writes of status and scale are writes of the same object. */
  private static String path(RawEvent event) {
    return String.join(
        "/", event.text(Field.RESOURCE), event.text(Field.GROUP), event.namespace(), event.name());
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

  private void copy(RawEvent event, Field field) {
    if (event.hasEscapes(field)) {
      text(event.text(field));
      return;
    }
    var length = event.length(field);
    room(Integer.BYTES + length);
    out.putInt(length).put(event.bytes(), Math.max(0, event.from(field)), length);
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
