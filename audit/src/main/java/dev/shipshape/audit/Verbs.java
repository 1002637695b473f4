package dev.shipshape.audit;

/** Which verbs ask to change something. */
final class Verbs {
  private Verbs() {}

  static boolean mutates(String verb) {
    return switch (verb) {
      case "create", "update", "patch", "delete", "deletecollection" -> true;
      default -> false;
    };
  }
}
