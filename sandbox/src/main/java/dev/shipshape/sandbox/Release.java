package dev.shipshape.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The official release: archives whose checksums we know. Nothing is taken out of an archive before
 * its checksum has been found right, and only the programs are taken out, each into a file that we
 * name: nothing that an archive says decides where something is written.
 *
 * @param archives found when they are needed; throws where there is no release for this machine
 */
record Release(String version, Supplier<List<ReleaseArchive>> archives) implements ProgramSource {

  static Release official(ProgramProperties properties, Map<String, String> environment) {
    return new Release(
        properties.get("release.version"),
        () -> {
          var architecture = architecture();
          return List.of(
              ReleaseArchive.pinned("etcd", architecture, properties, environment),
              ReleaseArchive.pinned("kubernetes", architecture, properties, environment));
        });
  }

  @Override
  public String name() {
    return "the official release " + version;
  }

  @Override
  public void get(Set<Program> missing, Path into, Path workshop, Progress progress) {
    for (var archive : archives.get()) {
      var wanted = archive.programs().stream().filter(missing::contains).sorted().toList();
      if (!wanted.isEmpty()) {
        var file = Download.verified(archive, workshop, progress);
        wanted.forEach(program -> extract(archive, file, program, into, workshop));
      }
    }
  }

  private static void extract(
      ReleaseArchive archive, Path file, Program program, Path into, Path workshop) {
    var extracted = workshop.resolve(program.fileName());
    var errors = workshop.resolve("tar.log");
    var entry = archive.entry(program);
    var builder =
        new ProcessBuilder("tar", "-xzOf", file.toString(), entry)
            .redirectOutput(extracted.toFile())
            .redirectError(errors.toFile());
    try {
      if (builder.start().waitFor() != 0) {
        throw new SandboxException(
            "could not take %s out of %s: %s"
                .formatted(entry, archive.address(), Files.readString(errors).strip()));
      }
    } catch (IOException e) {
      throw new SandboxException("could not run tar: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SandboxException("interrupted while extracting " + entry, e);
    }
    install(extracted, into.resolve(program.fileName()));
  }

  /** Makes a complete file a program, in one step. */
  static void install(Path complete, Path program) {
    try {
      Files.setPosixFilePermissions(complete, PosixFilePermissions.fromString("rwxr-xr-x"));
      Files.move(complete, program, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new SandboxException("could not write " + program, e);
    }
  }

  private static String architecture() {
    var system = System.getProperty("os.name");
    var architecture = System.getProperty("os.arch");
    if (system.equals("Linux") && architecture.equals("amd64")) {
      return "amd64";
    }
    if (system.equals("Linux") && architecture.equals("aarch64")) {
      return "arm64";
    }
    throw new SandboxException(
        "it is for Linux on amd64 and arm64, not for %s on %s".formatted(system, architecture));
  }
}
