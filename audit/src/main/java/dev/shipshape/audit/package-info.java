/**
 * Audit logs of the API server: files are read in parallel; events that match a filter are merged
 * into one chronology, which the analyses read. Does not use the API server.
 */
@NullMarked
package dev.shipshape.audit;

import org.jspecify.annotations.NullMarked;
