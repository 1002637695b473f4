package dev.shipshape.plugin;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds in all modules: arrows run one way, time comes in from outside. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.shipshape");

  static Stream<ArchRule> rules() {
    return Stream.of(
        slices().matching("dev.shipshape.(**)").should().beFreeOfCycles(),
        noClasses()
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .because("a decision takes its time as a parameter, and what waits goes by nanoTime"),
        noClasses()
            .that()
            .resideOutsideOfPackages("dev.shipshape.sandbox..")
            .and()
            .doNotHaveSimpleName("FollowedFile")
            .should()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .callMethod(Thread.class, "sleep", Duration.class)
            .because("whoever waits is woken; but a file tells nobody that it has grown"),
        noClasses()
            .that()
            .resideOutsideOfPackages(
                "dev.shipshape.webhook", "dev.shipshape.webhook.admission", "..webhook.server")
            .should()
            .dependOnClassesThat(resideInAnyPackage("io.vertx.."))
            .because("only the server knows by what it serves"));
  }

  @ParameterizedTest
  @MethodSource("rules")
  void holds(ArchRule rule) {
    rule.check(CLASSES);
  }
}
