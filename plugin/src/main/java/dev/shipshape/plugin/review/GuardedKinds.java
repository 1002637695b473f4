package dev.shipshape.plugin.review;

import dev.shipshape.webhook.OfflineWebhook;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.GuardReader;
import dev.shipshape.webhook.config.Scope;
import dev.shipshape.webhook.config.WebhookSettings;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The guards by which a command judges, and the settings that a judgement needs. */
public record GuardedKinds(List<Guard> guards, Scope scope, String overrideRole) {
  public GuardedKinds {
    guards = List.copyOf(guards);
  }

  public static GuardedKinds ofPresets() {
    return new GuardedKinds(
        GuardReader.DEFAULT_PRESETS.stream()
            .flatMap(preset -> GuardReader.preset(preset).stream())
            .toList(),
        Scope.CLUSTER,
        "shipshape-override");
  }

  public static GuardedKinds of(WebhookSettings settings) {
    return new GuardedKinds(
        settings.guards(),
        settings.scope(),
        settings.certificates().configurations() + "-override");
  }

  public OfflineWebhook webhook() {
    return new OfflineWebhook(guards, scope, overrideRole, InstantSource.system());
  }

  /** Whether a guard is for a kind of this name, in any group. */
  boolean isGuarded(String kind) {
    return guards.stream().anyMatch(guard -> guard.resource().kind().equals(kind));
  }

  /** Returns the guard of an object's kind, in any version; empty if there is none. */
  public Optional<Guard> of(ManifestObject object) {
    var kind = object.text("/kind");
    var apiVersion = object.text("/apiVersion");
    var group = apiVersion.contains("/") ? apiVersion.substring(0, apiVersion.indexOf('/')) : "";
    return guards.stream()
        .filter(
            guard -> guard.resource().kind().equals(kind) && guard.resource().group().equals(group))
        .findFirst();
  }

  /** Drops objects of another version than their guard's: they cannot be converted here. */
  public Consumer<ManifestObject> inVersion(
      Consumer<ManifestObject> objects, Consumer<Problem> problems) {
    return object -> {
      var version = object.text("/apiVersion").replaceFirst(".*/", "");
      var guarded = of(object).map(guard -> guard.resource().version()).orElse(version);
      if (guarded.equals(version)) {
        objects.accept(object);
      } else {
        var why = "only the API server converts " + version + " to the guard's " + guarded;
        problems.accept(object.problem(why));
      }
    };
  }
}
