package dev.shipshape.janitor.session;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A server that is called over HTTP: the CFS service, or Prometheus.
 *
 * @param address without the version, such as {@code http://cray-cfs-api.services}
 * @param tokenFile holds a bearer token, such as a mounted Secret; null for none
 * @param authorityFile the authorities to trust, PEM; null for Java's own
 */
public record RestEndpoint(URI address, @Nullable Path tokenFile, @Nullable Path authorityFile) {}
