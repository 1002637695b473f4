/**
 * What is guarded, as data: which resource, what makes two of its objects the same, which of them
 * are records of an invalid one, and when an object says so itself. No kind of operator is named in
 * code; the known ones are presets, and users write their own in the same form.
 */
@NullMarked
package dev.shipshape.webhook.guard;

import org.jspecify.annotations.NullMarked;
