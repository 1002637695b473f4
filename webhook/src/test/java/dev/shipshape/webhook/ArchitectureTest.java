package dev.shipshape.webhook;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which package may know of which: the arrows run one way. */
class ArchitectureTest {
  private static final String ROOT = "dev.shipshape.webhook";
  private static final String WIRING = "wiring";

  private static final Map<String, List<String>> MAY_ACCESS =
      Map.ofEntries(
          Map.entry("identity", List.of()),
          Map.entry("certificate", List.of()),
          Map.entry("config", List.of("identity", "certificate")),
          Map.entry("arming", List.of("config", "certificate", "admission")),
          Map.entry("known", List.of("identity", "config")),
          Map.entry("index", List.of("identity", "config", "known")),
          Map.entry("store", List.of("identity", "config", "known", "index")),
          Map.entry("admission", List.of("identity")),
          Map.entry("validation", List.of("identity", "config", "known", "admission")),
          Map.entry("mutation", List.of("identity", "config", "admission")),
          Map.entry("server", List.of("config", "admission")));

  @Test
  void packagesKnowOfEachOtherInOneDirection() {
    var layers = layeredArchitecture().consideringOnlyDependenciesInLayers();
    layers = layers.layer(WIRING).definedBy(ROOT);
    for (var name : MAY_ACCESS.keySet()) {
      layers = layers.layer(name).definedBy(ROOT + "." + name);
    }
    for (var layer : MAY_ACCESS.entrySet()) {
      var may = layer.getValue().toArray(String[]::new);
      layers =
          may.length == 0
              ? layers.whereLayer(layer.getKey()).mayNotAccessAnyLayer()
              : layers.whereLayer(layer.getKey()).mayOnlyAccessLayers(may);
    }

    layers
        .whereLayer(WIRING)
        .mayNotBeAccessedByAnyLayer()
        .ensureAllClassesAreContainedInArchitecture()
        .check(
            new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages(ROOT));
  }
}
