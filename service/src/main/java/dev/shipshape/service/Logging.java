package dev.shipshape.service;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.joran.spi.ConsoleTarget;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.nio.file.Path;
import net.logstash.logback.encoder.LogstashEncoder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a program logs: an event a line on standard error, as the settings' section {@code logging}
 * has it.
 *
 * @param format of a line
 * @param level the least that is logged of what this project's own code has to say
 */
public record Logging(Format format, LeastLevel level) {
  /** How an event is written. */
  public enum Format {
    /** Time, level, who, what. */
    TEXT,
    /** An object of {@code time}, {@code level}, {@code logger}, {@code message}, and fields. */
    JSON
  }

  /** What is logged. */
  public enum LeastLevel {
    ERROR,
    WARN,
    INFO,
    DEBUG
  }

  private static final String OWN = "dev.shipshape";
  private static final String TEXT = "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %level %logger{0} - %msg%n";
  private static final Logging DEFAULT = new Logging(Format.TEXT, LeastLevel.INFO);

  /** Logs from now on as a settings file says; what is wrong in it is told by its reader. */
  public static void begin(Path settings) {
    SettingsReader.readPart(settings, Logging::from)
        .orElse(DEFAULT)
        .apply((LoggerContext) LoggerFactory.getILoggerFactory());
  }

  /** From the top section of a settings file. */
  static Logging from(Section top) {
    var section = top.section("logging");
    return new Logging(
        section.choice("format", DEFAULT.format), section.choice("level", DEFAULT.level));
  }

  private void apply(LoggerContext context) {
    var lines = new ConsoleAppender<ILoggingEvent>();
    lines.setContext(context);
    lines.setTarget(ConsoleTarget.SystemErr.getName());
    lines.setEncoder(encoder(context));
    lines.start();
    var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.detachAndStopAllAppenders();
    root.addAppender(lines);
    root.setLevel(Level.WARN);
    context.getLogger(OWN).setLevel(Level.valueOf(level.name()));
    // The client logs every failed try with a stack trace; our own code says it in one line.
    context.getLogger("io.fabric8").setLevel(Level.ERROR);
  }

  private Encoder<ILoggingEvent> encoder(LoggerContext context) {
    if (format == Format.TEXT) {
      var text = new PatternLayoutEncoder();
      text.setContext(context);
      text.setPattern(TEXT);
      text.start();
      return text;
    }
    var json = new LogstashEncoder();
    json.setContext(context);
    json.setFindAndRegisterJacksonModules(false);
    json.setTimeZone("UTC");
    var names = json.getFieldNames();
    names.setTimestamp("time");
    names.setLogger("logger");
    names.setVersion(null);
    names.setLevelValue(null);
    names.setThread(null);
    json.setShortenedLoggerNameLength(0);
    json.start();
    return json;
  }

  /** What logs before settings are read, and all that has none. */
  @ConfiguratorRank(ConfiguratorRank.CUSTOM_TOP_PRIORITY)
  public static final class Default extends ContextAwareBase implements Configurator {
    @Override
    public ExecutionStatus configure(LoggerContext context) {
      DEFAULT.apply(context);
      return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
  }
}
