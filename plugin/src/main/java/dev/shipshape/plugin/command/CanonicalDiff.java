package dev.shipshape.plugin.command;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import dev.shipshape.webhook.identity.JsonLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Compares two canonical forms line by line. */
final class CanonicalDiff {
  private static final int CONTEXT = 3;

  private CanonicalDiff() {}

  /** Returns a unified diff; empty if the forms are equal. */
  static List<String> of(String left, byte[] canonicalLeft, String right, byte[] canonicalRight) {
    var lines = lines(canonicalLeft);
    var patch = DiffUtils.diff(lines, lines(canonicalRight));
    return UnifiedDiffUtils.generateUnifiedDiff(left, right, lines, patch, CONTEXT);
  }

  private static List<String> lines(byte[] canonical) {
    try {
      return JsonLimits.MAPPER
          .readTree(canonical)
          .toPrettyString()
          .lines()
          // A comma behind an element is no difference: it depends on whether another one follows.
          .map(line -> line.endsWith(",") ? line.substring(0, line.length() - 1) : line)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("a canonical form is JSON", e);
    }
  }
}
