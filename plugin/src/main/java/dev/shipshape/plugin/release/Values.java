package dev.shipshape.plugin.release;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Values for the chart, in Helm's order: the last one wins.
 *
 * @param files values files
 * @param sets as flags for Helm, such as {@code --set=image.tag=0.1.0}
 */
public record Values(List<Path> files, List<String> sets) {
  public Values {
    files = List.copyOf(files);
    sets = List.copyOf(sets);
  }

  /** These values, and after them later ones, which win. */
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
    flags.addAll(sets);
    return flags;
  }
}
