/** Whether a configuration is known invalid, who passes all the same, and what is said of it. */
@NullMarked
package dev.shipshape.webhook.validation;

import org.jspecify.annotations.NullMarked;
