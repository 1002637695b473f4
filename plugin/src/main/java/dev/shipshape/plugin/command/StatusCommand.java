package dev.shipshape.plugin.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import dev.shipshape.plugin.release.Status;
import dev.shipshape.service.StartFailure;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "status",
    description = "Show the state of the release on one screen. Changes nothing.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:shown",
      "1:there is no such release, not all of it is ready, or something is wrong with it",
      "2:the command line is wrong",
      "4:could not run"
    })
final class StatusCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ReleaseOptions options = new ReleaseOptions();
  @Mixin private final OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    var release = options.release();
    try (var client = options.connect()) {
      var status = Status.of(client, release);
      var out = spec.commandLine().getOut();
      switch (output.value()) {
        case JSON -> out.println(json(status));
        case TABLE -> new StatusScreen(out, Clock.systemUTC()).show(release.toString(), status);
      }
      var well = status.ready() && status.troubles().isEmpty();
      return well ? ExitCode.OK : ExitCode.FOUND;
    }
  }

  private static String json(Status status) {
    try {
      return new ObjectMapper()
          .registerModule(
              new SimpleModule().addSerializer(Instant.class, ToStringSerializer.instance))
          .enable(SerializationFeature.INDENT_OUTPUT)
          .writeValueAsString(status);
    } catch (JsonProcessingException e) {
      throw new StartFailure("could not write the status as JSON: " + e.getMessage(), e);
    }
  }
}
