package dev.shipshape.audit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the audit events of a stream, however they are wrapped. A JSON object with an {@code
 * auditID} and a user is an event: on a line of its own, in arrays and objects, over several lines
 * or several on one, in JSON or CSV texts within these, behind any prefix. The text between two
 * line ends outside of any value is a record; a record without an event is unread.
 *
 * <p>Not thread-safe. Its memory is bounded by {@link #LONGEST}.
 */
final class EventFinder {
  /** Receives each event before the next one is read. */
  interface Events {
    void accept(RawEvent event) throws IOException;

    /** Receives the first record that cannot be read, and why reading ended. */
    default void unread(Unread record) {}
  }

  /** The longest event or text that is read whole, in bytes; a longer event loses its bodies. */
  private static final int LONGEST = 16 << 20;

  /** An object is an event only if its auditID is within its first bytes, this many. */
  private static final int LOOKBACK = 64 << 10;

  /** The buffer fits into the cache of a core, which is twice as fast. */
  private static final int BUFFER_SIZE = 256 << 10;

  private static final int MAX_DEPTH = 200;
  private static final int TEXTS_WITHIN_TEXTS = 4;

  /** No event is shorter, in bytes. */
  static final int SHORTEST = 50;

  /** How many times the bytes of a record are looked at for events that begin at each of them. */
  private static final int LOOKS = 8;

  /** The longest prefix that may hold a host or a pod's name. */
  private static final int PREFIX = 256;

  private static final byte[] AUDIT_ID = bytes("auditID");

  /** Keys of entries in other formats, see {@link CloudAuditLog}. */
  private static final byte[][] ENTRY_KEYS = {bytes("protoPayload"), bytes("AuditId")};

  private static final byte[][] BODIES = {bytes("requestObject"), bytes("responseObject")};

  /** Parts of the names that collectors give to what has the text of requests and objects. */
  private static final String CALLERS =
      "(?i)(?:request_?(?:object|json|uri)|response_?(?:object|json|status)|user_?agent"
          + "|object_?ref|resource_?name|annotations|impersonated_?user)";

  private static final int SHORTEST_CALLERS = "userAgent".length();
  private static final Pattern CALLERS_KEY = Pattern.compile(CALLERS);
  private static final String CELL = "(?:\"[^\"]*\"|[\\w.@/()#% \\[\\]-]*)";

  /** A line of nothing else: a caller must not be able to make a log look like a table. */
  private static final Pattern HEADER =
      Pattern.compile("\ufeff?(?:[^\\s:={\"]+|" + CELL + "(?:[,;\t]" + CELL + ")++)\\s*");

  private static final int LONGEST_HEADER = 4 << 10;

  /** A line of a container runtime; its last letter tells whether it is split. */
  private static final Pattern CRI = Pattern.compile("\\d\\S+ (stdout|stderr) ([PF])");

  private static final int LONGEST_CRI = "2026-11-23T04:00:00.123456789+00:00 stdout P".length();

  private static final byte[] API_VERSION = bytes("apiVersion");
  private static final byte[] AUDIT_GROUP = bytes("\"audit.k8s.io/");

  /**
   * The first word before an event, unless it is of a time, the name of an output stream, of klog's
   * header, or what {@code aws logs --output text} begins each line with.
   */
  private static final Pattern SOURCE =
      Pattern.compile(
          "(?:^|\\s)\\[?(?!(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri"
              + "|Sat|Sun|UTC|stdout|stderr|F|P|[IWEF]\\d{4}|EVENTS)\\s|\\w+\\.go:)"
              + "([A-Za-z][^\\s\\[\\]:=,\"]*)");

  private static final String LOST = "is the end of a value whose beginning is missing";

  private final InputStream in;
  private final String log;
  private final Events found;
  private final int depth;
  private final RawEvent line;
  private byte[] text = {};

  /** The output streams whose last line was split: the rest may look like a value of its own. */
  private final Set<String> split = new HashSet<>();

  private byte[] bytes;
  private int limit;
  private int at;

  /** The position in the stream of the buffer's first byte. */
  private long offset;

  /** The stream's bytes are kept from this position on; -1 if none are. */
  private long mark = -1;

  private String source = "";

  /** Whether the last record's event was within another value; the next one's may be, too. */
  private boolean wrapped;

  /** Whether values are skipped because they are an event's bodies. */
  private boolean passing;

  private boolean passingOneLine;

  private long recordStart;
  private long recordLine;
  private long lastEvent;
  private long lastLineEnd;

  /** Why events of the record may be missing. */
  private String fault = "";

  /** How many objects have an auditID, but are no event, nor is there one in them. */
  private int missed;

  /** How many bytes were looked at for events of the record. */
  private long bytesLookedAt;

  /** Why the stream could not be read to its end. */
  private String failure = "";

  private long lines;
  private long events;
  private long unread;
  private @Nullable Unread example;

  /**
   * @param log the stream's name
   */
  EventFinder(InputStream in, String log, Events found) {
    this(in, new byte[BUFFER_SIZE], 0, log, found, 0, new RawEvent());
  }

  private EventFinder(
      InputStream in, byte[] bytes, int limit, String log, Events found, int depth, RawEvent line) {
    this.in = in;
    this.bytes = bytes;
    this.limit = limit;
    this.log = log;
    this.found = found;
    this.depth = depth;
    this.line = line;
  }

  /**
   * @throws IOException if a consumer fails
   */
  ReadReport.Log read() throws IOException {
    records();
    if (!failure.isEmpty()) {
      example = null;
      recordLine = lines + 1;
      fault = "cannot be read from here on: " + failure;
      unread();
    }
    return new ReadReport.Log(log, lines, events, unread, example, !failure.isEmpty());
  }

  private void records() throws IOException {
    while (peek() >= 0) {
      record();
    }
  }

  private void record() throws IOException {
    recordStart = offset + at;
    recordLine = lines + 1;
    source = log;
    lastLineEnd = -1;
    var before = events;
    var mixed = false;
    var value = false;
    var hasSource = false;
    fault = "";
    missed = depth > 0 ? missed : 0;
    bytesLookedAt = 0;
    // After a text without events, its characters are read again as if there were no quotes.
    var endOfText = recordStart;
    var next = peek();
    // Whether a key and a colon came last although no object is open.
    var isMember = false;
    if (continuesSplitLine()) {
      fault = LOST;
      value = true;
      endLine();
      next = peek();
    }
    for (var last = 0; next >= 0 && next != '\n'; last = next, next = peek()) {
      if (isMember && (next == '{' || next == '[' || next == '"')) {
        // The beginning of the enclosing object is lost: this one may be part of an event's body.
        fault = fault.isEmpty() ? LOST : fault;
        isMember = false;
        var _ = passedBody(0);
      } else if (next == '{' || next == '[') {
        if (next == '{' && !hasSource) {
          setSource();
          hasSource = true;
        }
        value = true;
        if (!topmost() && lastLineEnd >= 0) {
          // The next line is a record of its own, from its beginning on.
          if (events == before && lastLineEnd >= offset) {
            at = (int) (lastLineEnd - offset) + 1;
          }
          break;
        }
      } else if (next == '"' && last == '\\' && offset + at >= endOfText) {
        // The beginning of the string is lost: its text may be part of an event's body.
        fault = LOST;
        endLine();
      } else if (next == '"' && offset + at >= endOfText) {
        value = true;
        endOfText = quoted();
      } else {
        mixed = mixed || !(next <= ' ' || next == ',' || next == ']' || next == '}');
        isMember = next == ':' ? last == '"' : isMember && next <= ' ';
        at++;
      }
    }
    if (next == '\n') {
      at++;
    }
    // A value that is cut off has counted the last line end itself.
    if (next == '\n' || (next < 0 && bytes[at - 1] != '\n')) {
      lines++;
    }
    if (fault.isEmpty() && missed > 0) {
      fault = "has an event that is cut, or not whole";
    }
    if (events == before ? mixed || value : !fault.isEmpty()) {
      unread();
    }
  }

  /** Skips a value that is in no other one; false if it is cut off or no value. */
  private boolean topmost() throws IOException {
    var start = offset + at;
    if (!wrapped && bytes[at] == '{' && event(start)) {
      return true;
    }
    var whole = value(0);
    wrapped = lastEvent != start;
    if (!whole) {
      var isCut = peek() < 0 || peek() == '\n' || lastLineEnd >= 0;
      // A prefix may look like the beginning of a value.
      if (isCut || offset + at - start > SHORTEST) {
        fault = isCut ? "is cut" : "is no JSON";
      }
    }
    return whole;
  }

  /** Also notes whether this line is split. */
  private boolean continuesSplitLine() throws IOException {
    if (!Character.isDigit(peek()) || !need(LONGEST_CRI)) {
      return false;
    }
    var cri = CRI.matcher(new String(bytes, at, LONGEST_CRI, StandardCharsets.UTF_8));
    return cri.lookingAt()
        && (cri.group(2).equals("P") ? !split.add(cri.group(1)) : split.remove(cri.group(1)));
  }

  private void endLine() throws IOException {
    while (peek() >= 0 && peek() != '\n') {
      at++;
    }
  }

  private void setSource() {
    var from = (int) (recordStart - offset);
    if (from < 0 || from == at || at - from > PREFIX) {
      return;
    }
    var words = SOURCE.matcher(new String(bytes, from, at - from, StandardCharsets.UTF_8) + " ");
    if (words.find()) {
      source = log + "@" + words.group(1);
    }
  }

  /**
   * Looks for events in a text that is in no value.
   *
   * @return where it ends; without an event in it, the stream is only behind its first quote
   */
  private long quoted() throws IOException {
    var start = offset + at;
    var before = events;
    var linesBefore = lines;
    mark = start;
    var whole = text();
    var isField = whole && peek() == '"' && start >= offset;
    if (isField) {
      // CSV doubles quotes.
      at = (int) (start - offset);
      whole = csv();
      isField = whole;
    }
    var end = offset + at;
    if ((!whole || events == before)
        && start >= offset
        && !(isField && isBehindField() && isWithoutEvent(start))) {
      at = (int) (start - offset) + 1;
      lines = linesBefore;
    }
    mark = -1;
    return end;
  }

  private boolean isBehindField() throws IOException {
    return peek() < ' ' || peek() == ',' || peek() == ';';
  }

  /** A CSV file may have JSON in other columns, too. */
  private boolean isWithoutEvent(long start) {
    var from = (int) (start - offset);
    var field = new String(bytes, from, at - from, StandardCharsets.ISO_8859_1);
    return !field.contains("auditID");
  }

  private boolean value(int nesting) throws IOException {
    return switch (space()) {
      case '{' -> nesting < MAX_DEPTH && object(nesting);
      case '[' -> nesting < MAX_DEPTH && array(nesting);
      case '"' -> passing ? string() : text();
      default -> scalar();
    };
  }

  private boolean object(int nesting) throws IOException {
    var before = passing;
    var whole = members(nesting);
    passing = before;
    return whole;
  }

  private boolean members(int nesting) throws IOException {
    var start = offset + at;
    at++;
    if (space() == '}') {
      at++;
      return true;
    }
    var looked = false;
    var before = events;
    var vain = 0;
    while (space() == '"') {
      var key = offset + at;
      if (!string()) {
        return false;
      }
      var isEvent = !passing && isKey(key, AUDIT_ID);
      var isBody = !passing && isCallers(key);
      var isApiVersion = isKey(key, API_VERSION);
      // Once for each object, even if it repeats the key.
      if (!passing && !looked && (isEvent || isKey(key, ENTRY_KEYS))) {
        looked = true;
        var missedBefore = missed;
        if (isEvent ? event(start) : entry(start)) {
          return true;
        }
        vain += isEvent ? 0 : missed - missedBefore;
      }
      if (space() != ':') {
        return false;
      }
      at++;
      if (isApiVersion && !passing && space() == '"' && !isAhead(AUDIT_GROUP)) {
        // Another object of Kubernetes, so the body of an event: an event in it is its text.
        pass();
      }
      if (isEvent && space() == '"') {
        missed++;
        vain++;
      }
      if (!(isBody ? passedBody(nesting + 1) : value(nesting + 1))) {
        return false;
      }
      var behind = space();
      if (behind != ',' && behind != '}') {
        return false;
      }
      at++;
      if (behind == '}') {
        missed -= events > before ? vain : 0;
        return true;
      }
    }
    return false;
  }

  /** A value that is cut off does not continue on the next line. */
  private void pass() {
    passing = true;
    passingOneLine = lastLineEnd < recordStart;
  }

  /** Skips a value without looking for events in it: an object in an event's body is no event. */
  private boolean passedBody(int nesting) throws IOException {
    var before = passing;
    pass();
    var whole = value(nesting);
    passing = before;
    return whole;
  }

  private boolean array(int nesting) throws IOException {
    at++;
    if (space() == ']') {
      at++;
      return true;
    }
    while (true) {
      if (!value(nesting + 1)) {
        return false;
      }
      var behind = space();
      if (behind != ',' && behind != ']') {
        return false;
      }
      at++;
      if (behind == ']') {
        return true;
      }
    }
  }

  /** Skips a number, true, false or null. */
  private boolean scalar() throws IOException {
    var start = offset + at;
    while (peek() > ' ' && "+-.0123456789Eaeflnrstu".indexOf(peek()) >= 0) {
      at++;
    }
    return offset + at > start;
  }

  private boolean string() throws IOException {
    at++;
    for (var next = peek(); next >= ' '; next = peek()) {
      at++;
      if (next == '"') {
        return true;
      }
      if (next == '\\') {
        if (peek() < ' ') {
          return false;
        }
        at++;
      }
    }
    return false;
  }

  /** Skips a string, and finds the events in its text. */
  private boolean text() throws IOException {
    at++;
    var length = 0;
    var escapes = false;
    while (peek() >= ' ') {
      length = room(length);
      var out = text;
      var i = at;
      var b = 0;
      for (; i < limit; i++) {
        b = bytes[i] & 0xff;
        if (b == '\\' && i + 1 < limit && (bytes[i + 1] == '"' || bytes[i + 1] == '\\')) {
          escapes = true;
          b = bytes[++i];
        } else if (b == '"' || b == '\\' || b < ' ') {
          break;
        }
        out[length++] = (byte) b;
      }
      at = i;
      if (at < limit && b == '"') {
        at++;
        if (!escapes || length < SHORTEST) {
          return true;
        }
        if (mark >= 0 && peek() >= 0 && ",]}".indexOf(peek()) >= 0) {
          // The object that it belongs to is lost.
          fault = LOST;
          return false;
        }
        return within(length);
      }
      if (at < limit && b == '\\') {
        escapes = true;
        var character = escaped();
        if (character.length == 0) {
          return false;
        }
        System.arraycopy(character, 0, text, length, character.length);
        length += character.length;
      }
    }
    return false;
  }

  /** Returns the characters of an escape; none if it is invalid. */
  private byte[] escaped() throws IOException {
    var which = need(2) ? "bfnrt/\\\"".indexOf(bytes[at + 1]) : -1;
    if (which >= 0) {
      at += 2;
      return new byte[] {(byte) "\b\f\n\r\t/\\\"".charAt(which)};
    }
    // A character beyond 16 bits has two escapes, of which the first is D800 to DBFF.
    var isFirst = need(12) && (bytes[at + 2] | ' ') == 'd' && "89abAB".indexOf(bytes[at + 3]) >= 0;
    var length = isFirst && bytes[at + 6] == '\\' && bytes[at + 7] == 'u' ? 12 : 6;
    if (!need(length)) {
      return new byte[0];
    }
    var character = Json.tree('"' + new String(bytes, at, length, StandardCharsets.US_ASCII) + '"');
    at += character.isTextual() ? length : 0;
    return bytes(character.asText());
  }

  /** Skips a field of a CSV file, in which quotes are doubled, and finds the events in it. */
  private boolean csv() throws IOException {
    at++;
    var length = 0;
    for (var next = peek(); next >= ' ' || isLastLineEnd(next); next = peek()) {
      length = room(length);
      at++;
      lines += next == '\n' ? 1 : 0;
      if (next == '"') {
        if (peek() != '"') {
          return length < SHORTEST || within(length);
        }
        at++;
      }
      text[length++] = (byte) next;
    }
    return false;
  }

  /** In exports by Azure's portal, the line end of the log belongs to the field. */
  private boolean isLastLineEnd(int next) throws IOException {
    return next == '\r'
        ? need(3) && bytes[at + 1] == '\n' && bytes[at + 2] == '"'
        : next == '\n' && need(2) && bytes[at + 1] == '"';
  }

  /** Makes room for this many bytes and one more; drops a text that is too long. */
  private int room(int length) {
    var kept = length;
    if (length > LONGEST) {
      fault = "has a text of more than 16 MiB";
      kept = 0;
    }
    var needed = kept + limit - at + 8;
    if (text.length < needed) {
      text = Arrays.copyOf(text, Math.max(needed, text.length * 2));
    }
    return kept;
  }

  private boolean within(int length) throws IOException {
    if (depth < TEXTS_WITHIN_TEXTS) {
      var none = InputStream.nullInputStream();
      var inner = new EventFinder(none, text, length, source, found, depth + 1, line);
      inner.records();
      if (inner.events > 0) {
        events += inner.events;
        lastEvent = -1;
      }
      missed += inner.missed;
    }
    return true;
  }

  /** Reads the event that begins at this position; false, without moving, if there is none. */
  private boolean event(long start) throws IOException {
    var end = parse(start);
    if (end >= 0 && line.isEvent()) {
      accept(start, end);
      return true;
    }
    // The quick check of a record's beginning does not prove that it is an event.
    return end == EventParser.CUT
        && limit - (start - offset) >= LONGEST
        && offset + at > start
        && longEvent(start);
  }

  /** Reads an entry of a cloud's audit log in the same way; counts it if it is not whole. */
  private boolean entry(long start) throws IOException {
    var end = parse(start);
    if (end >= 0) {
      var first = (int) (start - offset);
      var event = CloudAuditLog.event(bytes, first, end - first);
      if (event.length == 0) {
        return false;
      }
      if (line.parse(event, source) >= 0 && line.isEvent()) {
        accept(start, end);
        return true;
      }
    }
    missed++;
    return false;
  }

  private void accept(long start, int end) throws IOException {
    for (var i = at; lastLineEnd >= recordStart && i < end; i++) {
      lines += bytes[i] == '\n' ? 1 : 0;
    }
    at = end;
    lastEvent = start;
    events++;
    found.accept(line);
  }

  /**
   * Reads an object's fields. They may be on several lines only if a line end was seen in the
   * object before: else an object that is cut off would continue on the next line.
   */
  private int parse(long start) throws IOException {
    if (start < offset) {
      return EventParser.BROKEN;
    }
    if (bytesLookedAt > LOOKS * (LONGEST + offset + at - recordStart)) {
      missed++;
      return EventParser.BROKEN;
    }
    mark = start;
    int end;
    do {
      end = line.parse(bytes, (int) (start - offset), limit, source, lastLineEnd >= start);
    } while (end == EventParser.CUT && limit - (start - offset) < LONGEST && more());
    mark = -1;
    bytesLookedAt += (end < 0 ? limit : end) - (start - offset);
    return end;
  }

  /** Reads an event without its bodies, which are too long. The stream is behind its auditID. */
  private boolean longEvent(long start) throws IOException {
    var head = new ByteArrayOutputStream();
    head.writeBytes(copy(start));
    pass();
    try {
      var from = offset + at;
      for (var isBody = false; space() == ':'; ) {
        at++;
        space();
        mark = isBody ? -1 : from;
        if (!value(0) || (!isBody && from < offset)) {
          return false;
        }
        if (!isBody) {
          head.writeBytes(copy(from));
        }
        if (space() != ',') {
          break;
        }
        from = offset + at;
        at++;
        if (space() != '"') {
          return false;
        }
        var key = offset + at;
        if (!string()) {
          return false;
        }
        isBody = isKey(key, BODIES);
      }
    } finally {
      passing = false;
      mark = -1;
    }
    if (peek() != '}') {
      return false;
    }
    at++;
    head.writeBytes(
        bytes(",\"%s\":%d}".formatted(Field.SHORTENED.path().getLast(), offset + at - start)));
    if (line.parse(head.toByteArray(), source) < 0 || !line.isEvent()) {
      return false;
    }
    accept(start, at);
    return true;
  }

  private byte[] copy(long from) {
    return Arrays.copyOfRange(bytes, (int) (from - offset), at);
  }

  private static byte[] bytes(String content) {
    return content.getBytes(StandardCharsets.UTF_8);
  }

  /** Whether the string that was skipped last is one of these keys. */
  private boolean isKey(long start, byte[]... keys) {
    var from = (int) (start - offset) + 1;
    for (var key : keys) {
      if (from > 0 && Arrays.equals(bytes, from, at - 1, key, 0, key.length)) {
        return true;
      }
    }
    return false;
  }

  private boolean isCallers(long start) {
    var from = (int) (start - offset) + 1;
    var length = Math.min(at - 1 - from, PREFIX);
    return from > 0
        && length >= SHORTEST_CALLERS
        && CALLERS_KEY.matcher(new String(bytes, from, length, StandardCharsets.UTF_8)).find();
  }

  /** Skips white space; returns the byte behind it, -1 at the end. */
  private int space() throws IOException {
    var next = peek();
    for (; next == ' ' || next == '\n' || next == '\r' || next == '\t'; next = peek()) {
      if (next == '\n') {
        if (passing && passingOneLine) {
          return next;
        }
        lines++;
        lastLineEnd = offset + at;
      }
      at++;
    }
    return next;
  }

  /** Returns the next byte, -1 at the end. */
  private int peek() throws IOException {
    return at < limit || more() ? bytes[at] & 0xff : -1;
  }

  /** Whether this many bytes follow. */
  private boolean need(int count) throws IOException {
    while (limit - at < count) {
      if (!more()) {
        return false;
      }
    }
    return true;
  }

  /** Its strings, folded over lines, would look like events. */
  private boolean isGoogleYaml() {
    var from = (int) (recordStart - offset);
    return at - from < SHORTEST
        && new String(bytes, from, Math.max(0, at - from), StandardCharsets.UTF_8)
            .strip()
            .equals("protoPayload:");
  }

  /** Their fields' text would look like events. */
  private boolean isHeaderOfParts() {
    if (recordStart > 0 || events > 0 || at > LONGEST_HEADER) {
      return false;
    }
    var first = new String(bytes, 0, at, StandardCharsets.UTF_8);
    return HEADER.matcher(first).matches() && CALLERS_KEY.matcher(first).find();
  }

  private boolean isAhead(byte[] text) throws IOException {
    return need(text.length) && Arrays.equals(bytes, at, at + text.length, text, 0, text.length);
  }

  /** Reads more; false at the end. Drops what was read, except the last bytes and marked ones. */
  private boolean more() {
    if (depth > 0 || !failure.isEmpty()) {
      return false;
    }
    if (limit == bytes.length) {
      var kept = Math.max(0, at - LOOKBACK);
      if (mark >= 0 && limit - (mark - offset) <= LONGEST) {
        kept = (int) Math.min(kept, mark - offset);
      }
      System.arraycopy(bytes, kept, bytes, 0, limit - kept);
      offset += kept;
      at -= kept;
      limit -= kept;
      if (limit > bytes.length / 2) {
        bytes = Arrays.copyOf(bytes, bytes.length * 2);
      }
    }
    try {
      var count = in.read(bytes, limit, bytes.length - limit);
      limit += Math.max(count, 0);
      return count > 0;
    } catch (IOException e) {
      failure = UnreadableLog.reason(e);
      return false;
    }
  }

  private void unread() {
    unread++;
    if (depth == 0 && recordStart >= offset && isGoogleYaml()) {
      failure = "it is YAML of gcloud; export it with --format=json";
      limit = at;
    } else if (depth == 0 && isHeaderOfParts()) {
      failure =
          "it is a table with columns for parts of events; export whole events only, such as"
              + " Splunk's _raw alone";
      limit = at;
    }
    if (example == null && depth == 0) {
      var from = (int) Math.max(0, recordStart - offset);
      example = Unread.of(recordLine, fault, bytes, from, Math.max(from, at));
      found.unread(example);
    }
  }
}
