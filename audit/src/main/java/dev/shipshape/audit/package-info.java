/**
 * Audit logs of the API server: files are read in parallel, line by line, and what a filter lets
 * through is merged into one chronology, which the analyses read. Knows no cluster.
 */
@NullMarked
package dev.shipshape.audit;

import org.jspecify.annotations.NullMarked;
