package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiffCommandTest extends WithCommands {
  private static final String HEAD =
      "apiVersion: network.schiff.telekom.de/v1alpha1\nkind: NodeConfig\nmetadata: {name: %s}\n";

  @TempDir Path folder;

  @Test
  void anotherOrderThatMeansNothingIsNoDifference() throws Exception {
    var one =
        file("a", "spec:\n  layer2:\n  - {id: 2, mtu: 1, vni: 3}\n  - {id: 1, mtu: 1, vni: 2}\n");
    var other =
        file("b", "spec:\n  layer2:\n  - {id: 1, mtu: 1, vni: 2}\n  - {id: 2, mtu: 1, vni: 3}\n");

    assertThat(run(one, other)).isEqualTo(ExitCode.OK);

    assertThat(out.toString().lines())
        .singleElement()
        .asString()
        .endsWith("are the same configuration");
  }

  @Test
  void whatDiffersIsShownAloneThoughTheListsAreInAnotherOrder() throws Exception {
    var one =
        file("a", "spec:\n  layer2:\n  - {id: 2, mtu: 1, vni: 3}\n  - {id: 1, mtu: 1, vni: 2}\n");
    var other =
        file("b", "spec:\n  layer2:\n  - {id: 1, mtu: 7, vni: 2}\n  - {id: 2, mtu: 1, vni: 3}\n");

    assertThat(run(one, other)).isEqualTo(ExitCode.FOUND);

    assertThat(out.toString().lines().filter(line -> line.matches("[-+] .*")))
        .containsExactly("-    \"mtu\" : 1", "+    \"mtu\" : 7");
  }

  @Test
  void eachFileHoldsOneObjectOfTheSameKind() throws Exception {
    var one = file("a", "spec: {}\n");
    var two = file("b", "spec: {}\n---\n" + HEAD.formatted("c"));

    assertThat(run(one, two)).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString()).contains("b.yaml: must have one object, but has 2");
  }

  private String file(String name, String text) throws Exception {
    return Files.writeString(folder.resolve(name + ".yaml"), HEAD.formatted(name) + text)
        .toString();
  }

  private int run(String one, String other) {
    return run("diff", one, other);
  }
}
