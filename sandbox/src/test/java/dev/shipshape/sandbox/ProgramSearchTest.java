package dev.shipshape.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramSearchTest {
  private static final Set<Program> ALL = EnumSet.allOf(Program.class);
  private static final Progress SILENT = step -> {};

  @TempDir private Path folder;
  private ProgramCache cache;
  private Path first;
  private Path second;

  @BeforeEach
  void folders() throws Exception {
    cache = new ProgramCache(folder.resolve("cache"));
    first = Files.createDirectory(folder.resolve("first"));
    second = Files.createDirectory(folder.resolve("second"));
  }

  @Test
  void ourFolderComesBeforeTheOneThatOthersShareAndThatBeforeTheCache() throws Exception {
    TestingSource.putAll(first);
    TestingSource.putAll(second);
    TestingSource.putAll(cache.programs("1").folder());
    var ours = Map.of("SHIPSHAPE_KUBE_BIN", first.toString());
    var both =
        Map.of("SHIPSHAPE_KUBE_BIN", first.toString(), "KUBEBUILDER_ASSETS", second.toString());
    var theirs = Map.of("KUBEBUILDER_ASSETS", second.toString());

    assertThat(search(both).find(ALL, SILENT).folder()).isEqualTo(first);
    assertThat(search(ours).find(ALL, SILENT).folder()).isEqualTo(first);
    assertThat(search(theirs).find(ALL, SILENT).folder()).isEqualTo(second);
    assertThat(search(Map.of("SHIPSHAPE_KUBE_BIN", "")).find(ALL, SILENT).folder())
        .as("an empty variable names nothing")
        .isEqualTo(cache.programs("1").folder());
  }

  @Test
  void aNamedFolderThatLacksAProgramIsAnErrorThatNamesBoth() throws Exception {
    TestingSource.putAll(first);
    Files.delete(first.resolve("kube-apiserver"));
    TestingSource.putAll(cache.programs("1").folder());
    var environment = Map.of("SHIPSHAPE_KUBE_BIN", first.toString());

    assertThatThrownBy(() -> search(environment).find(ALL, SILENT))
        .isInstanceOf(SandboxException.class)
        .hasMessage(
            "SHIPSHAPE_KUBE_BIN names %s, where kube-apiserver is missing: add it, or name another"
                + " folder, or none",
            first);
  }

  @Test
  void sourcesAreTriedInTheirOrderAndOnlyForWhatIsMissing() throws Exception {
    var release = TestingSource.failing("1");
    var build = TestingSource.working("2");
    TestingSource.put(cache.programs("2").folder(), Program.ETCD);

    var programs = search(Map.of(), release, build).find(ALL, SILENT);

    assertThat(programs).isEqualTo(cache.programs("2"));
    assertThat(release.asked()).containsExactly(ALL);
    assertThat(build.asked())
        .containsExactly(EnumSet.of(Program.KUBE_APISERVER, Program.KUBE_CONTROLLER_MANAGER));
  }

  @Test
  void theSecondSourceIsLeftAloneWhereTheFirstWorks() {
    var release = TestingSource.working("1");
    var build = TestingSource.working("2");

    assertThat(search(Map.of(), release, build).find(ALL, SILENT)).isEqualTo(cache.programs("1"));
    assertThat(build.asked()).isEmpty();
  }

  @Test
  void whereNothingWorksTheMessageSaysWhatWasTriedAndHowToFixIt() {
    var noGo = new GoBuild("2", "go", Map.of("PATH", first.toString()));

    assertThatThrownBy(() -> search(Map.of(), TestingSource.failing("1"), noGo).find(ALL, SILENT))
        .isInstanceOf(SandboxException.class)
        .hasMessage(
            """
            there are no Kubernetes programs. Tried:
            - a named folder: SHIPSHAPE_KUBE_BIN and KUBEBUILDER_ASSETS are not set
            - the cache: not all are in %s
            - source 1: out of order
            - a build of 2 with Go: there is no go on the PATH
            Do one of these: let SHIPSHAPE_KUBE_BIN name a folder with etcd, kube-apiserver and \
            kube-controller-manager; install Go 1.26 or newer; or give access to the release.\
            """,
            cache.root());
  }

  @Test
  void aSecondProcessWaitsForTheFirstAndUsesWhatItGot() throws Exception {
    var output = folder.resolve("output");
    var other =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                FillingProcess.class.getName(),
                cache.root().toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    Eventually.holds(() -> Files.readString(output).contains(FillingProcess.STARTED));
    var steps = Collections.synchronizedList(new ArrayList<String>());
    var own = TestingSource.working("1");

    var search = CompletableFuture.supplyAsync(() -> search(Map.of(), own).find(ALL, steps::add));
    Eventually.holds(
        () ->
            steps.contains("waiting for another process that is getting the Kubernetes programs"));
    assertThat(search).isNotDone();
    other.getOutputStream().close();

    assertThat(search.get()).isEqualTo(cache.programs("1"));
    assertThat(own.asked()).as("what the second process got by itself").isEmpty();
  }

  private ProgramSearch search(Map<String, String> environment, ProgramSource... sources) {
    return new ProgramSearch(
        environment,
        cache,
        sources.length == 0 ? List.of(TestingSource.working("1")) : List.of(sources));
  }
}
