/** The command line: one class a command, and what they share. */
@NullMarked
package dev.shipshape.plugin.command;

import org.jspecify.annotations.NullMarked;
