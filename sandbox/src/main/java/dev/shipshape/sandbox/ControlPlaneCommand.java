package dev.shipshape.sandbox;

import java.io.IOException;
import java.io.OutputStream;
import java.util.function.Consumer;

/**
 * Starts a control plane for scripts, prints the path of its administrator's kubeconfig, and stops
 * it at the end of standard input: {@code sandbox/run}.
 */
public final class ControlPlaneCommand {
  private static final int COULD_NOT_START = 4;

  private ControlPlaneCommand() {}

  /** Takes no arguments. Exits with 4 if a program is not available or does not start. */
  public static void main(String[] arguments) throws IOException {
    Consumer<String> progress = step -> System.err.println("sandbox: " + step);
    try (var controlPlane =
        ControlPlane.start(Programs.find(System.getenv(), progress), progress)) {
      System.out.println(controlPlane.kubeconfig());
      System.in.transferTo(OutputStream.nullOutputStream());
    } catch (SandboxException e) {
      System.err.println("sandbox: " + e.getMessage());
      System.exit(COULD_NOT_START);
    }
  }
}
