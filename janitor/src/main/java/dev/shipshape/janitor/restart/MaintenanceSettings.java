package dev.shipshape.janitor.restart;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A question to Prometheus whose answer blocks restarts.
 *
 * @param prometheus its address, up to {@code /api/v1}
 * @param query in PromQL; a result that is not empty blocks
 * @param tokenFile holds a bearer token, as a mounted Secret does; null for none
 * @param authorityFile what https is trusted by, PEM; null for Java's own authorities
 */
public record MaintenanceSettings(
    URI prometheus, String query, @Nullable Path tokenFile, @Nullable Path authorityFile) {}
