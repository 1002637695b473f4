package dev.shipshape.sandbox;

import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A process that fills a cache with programs of version 1 when its standard input ends. */
class LockingProcess {
  static final String STARTED = "filling";

  public static void main(String[] arguments) throws Exception {
    var root = Files.createDirectories(Path.of(arguments[0]));
    try (var channel =
            FileChannel.open(
                root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var _ = channel.lock()) {
      System.out.println(STARTED);
      System.in.readAllBytes();
      ProgramsTest.put(root.resolve("v1"));
    }
  }
}
