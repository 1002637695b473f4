package dev.shipshape.janitor.session;

import java.time.Instant;
import java.util.stream.Stream;

/**
 * All sessions at one time.
 *
 * @param store listed the sessions; use it to read and delete them
 * @param serverTime the time of the store's server or of the API server, to the second, after its
 *     first page was read
 * @param sessions readable once. It reads pages lazily, so it throws as the store does; the caller
 *     must discard the list then
 */
public record SessionList(SessionStore store, Instant serverTime, Stream<Session> sessions) {}
