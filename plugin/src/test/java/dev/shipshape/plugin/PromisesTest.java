package dev.shipshape.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.shipshape.sandbox.junit.Promise;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/promises.md, made from the tests that bear {@link Promise}. */
class PromisesTest {
  private static final Path PAGE = Path.of("../docs/promises.md");

  @Test
  void thePageHasThePromiseOfEachTest() throws Exception {
    var page = new StringBuilder("# Promises\n\n");
    page.append(
        "Made from the tests by `PromisesTest`. A change that breaks a promise fails the test"
            + " beside it.\n");
    for (var room : List.of("webhook", "janitor", "plugin", "audit")) {
      page.append("\n## ")
          .append(room)
          .append("\n\n| promise | test | would break it |\n|---|---|---|\n");
      for (var method : promises(Path.of("..", room))) {
        var promise = method.getAnnotationOfType(Promise.class);
        page.append(
            "| %s | `%s` | %s |\n".formatted(promise.value(), name(method), promise.breaks()));
      }
    }
    if (Boolean.getBoolean("pages.write")) {
      Files.writeString(PAGE, page);
    }

    assertThat(PAGE)
        .as("mvn test -pl plugin -am -Dpages.write=true -Dtest=PromisesTest writes it")
        .content()
        .isEqualTo(page.toString());
  }

  /** Found by the sources: of a test that is gone, its class may still be there. */
  private static List<JavaMethod> promises(Path room) throws IOException {
    var sources = room.resolve("src/test/java");
    try (var files = Files.walk(sources)) {
      var classes =
          files
              .filter(file -> file.toString().endsWith(".java") && read(file).contains("@Promise("))
              .map(file -> sources.relativize(file).toString().replace(".java", ".class"))
              .map(room.resolve("target/test-classes")::resolve)
              .toList();
      return new ClassFileImporter()
          .importPaths(classes).stream()
              .flatMap(each -> each.getMethods().stream())
              .filter(each -> each.isAnnotatedWith(Promise.class))
              .sorted(Comparator.comparing(PromisesTest::name))
              .collect(Collectors.toList());
    }
  }

  private static String name(JavaMethod method) {
    return method.getOwner().getSimpleName() + "." + method.getName();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
