package dev.shipshape.webhook.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.identity.ConfigHash;

/**
 * An object that is known invalid from the start, so that a dry-run create of it proves the whole
 * way from the API server and back where nothing else is known invalid yet. Its content is such
 * that nobody would ever roll it out.
 *
 * @param object complete, as it is to be created
 * @param hash its identity
 */
public record SelfTestObject(JsonNode object, ConfigHash hash) {}
