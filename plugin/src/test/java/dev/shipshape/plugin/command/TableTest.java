package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
  @Test
  void noCellMakesALineOfItsOwn() {
    var rows = List.of("an error\nof two lines", "none");

    assertThat(
            Table.of(rows, Table.column("DETAIL", row -> row), Table.column("LENGTH", row -> "1")))
        .isEqualTo(
            """
            DETAIL                  LENGTH
            an error of two lines   1
            none                    1\
            """);
  }
}
