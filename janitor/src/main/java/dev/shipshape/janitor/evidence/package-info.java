/** What speaks for a stuck operator beside its log's signature. By default it only alerts. */
@NullMarked
package dev.shipshape.janitor.evidence;

import org.jspecify.annotations.NullMarked;
