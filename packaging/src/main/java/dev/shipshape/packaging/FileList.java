package dev.shipshape.packaging;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The list of files with their SHA-256, in sha256sum's form, that goes with them. */
final class FileList {
  static final String NAME = "files.sha256";

  private FileList() {}

  /** The items and, as one more, the list of them all. */
  static List<Item> addedTo(List<Item> items) throws IOException {
    var lines = new StringBuilder();
    for (var item : items.stream().sorted(Comparator.comparing(Item::path)).toList()) {
      lines.append(Digests.of(item.content())).append("  ").append(item.path()).append('\n');
    }
    var all = new ArrayList<>(items);
    all.add(new Item.Text(NAME, lines.toString()));
    return all;
  }
}
