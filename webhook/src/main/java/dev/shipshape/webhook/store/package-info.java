/** Stores KnownInvalidConfigurations, which outlive the objects that reported failures. */
@NullMarked
package dev.shipshape.webhook.store;

import org.jspecify.annotations.NullMarked;
