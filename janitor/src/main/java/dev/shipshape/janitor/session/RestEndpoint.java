package dev.shipshape.janitor.session;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A server that is called over HTTP: the CFS service, or Prometheus.
 *
 * @param address up to the version, such as {@code http://cray-cfs-api.services}
 * @param tokenFile holds a bearer token, as a mounted Secret does; null for none
 * @param authorityFile what https is trusted by, PEM; null for Java's own authorities
 */
public record RestEndpoint(URI address, @Nullable Path tokenFile, @Nullable Path authorityFile) {}
