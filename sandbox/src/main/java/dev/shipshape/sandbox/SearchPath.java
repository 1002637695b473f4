package dev.shipshape.sandbox;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The folders of the PATH variable. */
record SearchPath(List<Path> folders) {

  static SearchPath of(Map<String, String> environment) {
    var path = environment.getOrDefault("PATH", "");
    return new SearchPath(
        List.of(path.split(File.pathSeparator)).stream()
            .filter(folder -> !folder.isEmpty())
            .map(Path::of)
            .toList());
  }

  /** Where a command is, if it is there. */
  Optional<Path> find(String command) {
    return folders.stream()
        .map(folder -> folder.resolve(command))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
