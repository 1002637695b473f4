package dev.shipshape.sandbox;

import java.nio.file.Path;
import java.util.Set;

/** A way to get programs that are not on this machine yet. */
interface ProgramSource {

  /** What it is, for people: {@code the official release 1.2.3}. */
  String name();

  /** The version of Kubernetes that it gives, as the cache keeps apart. */
  String version();

  /**
   * Puts programs, complete and executable, into a folder.
   *
   * @param workshop an empty folder for what is not complete, on the same file system
   * @throws SandboxException saying why it could not be done
   */
  void get(Set<Program> missing, Path into, Path workshop, Progress progress);
}
