package dev.shipshape.janitor.session;

import java.time.Instant;
import java.util.stream.Stream;

/**
 * All sessions at one time.
 *
 * @param store that listed them, and that they are read again and deleted in
 * @param serverTime the time of the store's server, to the second, when the list began
 * @param sessions to be read once; pages are read on the way, so it throws as the store does, and
 *     what was seen of the list is void then
 */
public record SessionList(SessionStore store, Instant serverTime, Stream<Session> sessions) {}
