/**
 * What the two servers share: settings files that are checked whole, the management port, the
 * connection to the API server, the election of one replica, and a start that fails with one line.
 */
@NullMarked
package dev.shipshape.service;

import org.jspecify.annotations.NullMarked;
