/**
 * Code that the webhook and the janitor share: settings files, the management port, the connection
 * to the API server, and start failures.
 */
@NullMarked
package dev.shipshape.service;

import org.jspecify.annotations.NullMarked;
