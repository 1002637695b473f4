/** A release of shipshape in a cluster: install, upgrade, uninstall and status. */
@NullMarked
package dev.shipshape.plugin.release;

import org.jspecify.annotations.NullMarked;
