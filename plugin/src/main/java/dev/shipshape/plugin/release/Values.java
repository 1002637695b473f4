package dev.shipshape.plugin.release;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What is said about the chart's values, in Helm's order: later ones win.
 *
 * @param files values files
 * @param sets {@code key=value}, as for {@code --set}
 */
public record Values(List<Path> files, List<String> sets) {
  public Values {
    files = List.copyOf(files);
    sets = List.copyOf(sets);
  }

  /** These values, after which others are said. */
  public Values and(Values later) {
    var allFiles = new ArrayList<>(files);
    allFiles.addAll(later.files());
    var allSets = new ArrayList<>(sets);
    allSets.addAll(later.sets());
    return new Values(allFiles, allSets);
  }

  List<String> flags() {
    var flags = new ArrayList<String>();
    files.forEach(file -> flags.addAll(List.of("--values", file.toString())));
    sets.forEach(set -> flags.addAll(List.of("--set", set)));
    return flags;
  }
}
