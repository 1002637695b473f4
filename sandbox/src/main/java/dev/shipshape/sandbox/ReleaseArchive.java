package dev.shipshape.sandbox;

import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One archive of an official release.
 *
 * @param address where it is, a {@code .tar.gz}
 * @param algorithm of the checksum, as Java names it
 * @param checksum of the whole file, in hex
 * @param folder where in the archive the programs are
 * @param programs what is taken from it
 */
record ReleaseArchive(
    URI address, String algorithm, String checksum, String folder, Set<Program> programs) {

  ReleaseArchive {
    programs = Set.copyOf(programs);
  }

  /**
   * One of the pinned archives.
   *
   * @param name the first part of its keys
   * @param architecture as Go names it
   * @param environment may name another base address
   */
  static ReleaseArchive pinned(
      String name,
      String architecture,
      ProgramProperties properties,
      Map<String, String> environment) {
    var variable = properties.get(name + ".base.variable");
    var base = environment.getOrDefault(variable, properties.get(name + ".base"));
    var path = properties.get(name + ".path").replace("{architecture}", architecture);
    var programs = new HashSet<Program>();
    var names = List.of(properties.get(name + ".programs").split(" "));
    for (var program : Program.values()) {
      if (names.contains(program.fileName())) {
        programs.add(program);
      }
    }
    return new ReleaseArchive(
        URI.create(base.replaceFirst("/$", "") + path),
        properties.get(name + ".algorithm"),
        properties.get(name + ".checksum." + architecture),
        properties.get(name + ".folder").replace("{architecture}", architecture),
        programs);
  }

  /** Where in the archive a program is. */
  String entry(Program program) {
    return folder + "/" + program.fileName();
  }

  String fileName() {
    var path = address.getPath();
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
