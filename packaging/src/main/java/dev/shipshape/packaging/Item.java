package dev.shipshape.packaging;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** One entry of an archive or an image layer, by its path without a leading slash. */
sealed interface Item {
  String path();

  /** A folder. */
  record Folder(String path, int mode) implements Item {}

  /** Text made here, in mode 0644. */
  record Text(String path, String text) implements Item {}

  /** Bytes made here, in mode 0644. */
  @SuppressWarnings("ArrayRecordComponent") // Neither compared nor changed.
  record Bytes(String path, byte[] bytes) implements Item {}

  /** A file as it is on disk: programs in mode 0755, all others in 0644. */
  record Copied(String path, Path from) implements Item {}

  /** A symbolic link; image layers only. */
  record Link(String path, String target) implements Item {}

  /** The same in a folder, given with its slash. */
  default Item under(String folder) {
    return switch (this) {
      case Folder(var path, var mode) -> new Folder(folder + path, mode);
      case Text(var path, var text) -> new Text(folder + path, text);
      case Bytes(var path, var bytes) -> new Bytes(folder + path, bytes);
      case Copied(var path, var from) -> new Copied(folder + path, from);
      case Link(var path, var target) -> new Link(folder + path, target);
    };
  }

  /** What a reader of the file finds; nothing in folders and links. */
  default byte[] content() throws IOException {
    return switch (this) {
      case Folder _, Link _ -> new byte[0];
      case Text text -> text.text().getBytes(StandardCharsets.UTF_8);
      case Bytes bytes -> bytes.bytes();
      case Copied copied -> Files.readAllBytes(copied.from());
    };
  }
}
