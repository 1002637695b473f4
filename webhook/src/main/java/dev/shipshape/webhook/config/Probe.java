package dev.shipshape.webhook.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.identity.ConfigHash;

/**
 * An object that is always known invalid. A dry-run create of it tests the whole path from the API
 * server to the webhook even if nothing else is known invalid. Its content is never used on a node.
 */
public record Probe(JsonNode object, ConfigHash hash) {}
