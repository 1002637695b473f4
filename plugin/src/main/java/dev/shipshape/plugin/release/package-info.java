/** Installs, upgrades, removes and looks at shipshape in a cluster, by Helm. */
@NullMarked
package dev.shipshape.plugin.release;

import org.jspecify.annotations.NullMarked;
