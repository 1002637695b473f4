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
 * The section {@code logging} of the settings. Logs go to standard error, one event a line.
 *
 * @param level the minimum level of this project's own code
 */
public record Logging(Format format, MinLevel level) {
  public enum Format {
    /** Time, level, logger, message. */
    TEXT,
    /** An object with {@code time}, {@code level}, {@code logger}, {@code message}, and fields. */
    JSON
  }

  public enum MinLevel {
    ERROR,
    WARN,
    INFO,
    DEBUG
  }

  private static final String OWN = "dev.shipshape";

  /** A message quotes texts of others: none may look like a line of its own. */
  private static final String TEXT =
      "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %level %logger{0} -"
          + " %replace(%msg){'[\\p{Cntrl}&&[^\\t]]', '?'}%n";

  private static final Logging DEFAULT = new Logging(Format.TEXT, MinLevel.INFO);

  /** Applies a settings file; uses the defaults if the section is invalid. Reports no mistake. */
  public static void begin(Path settings) {
    SettingsReader.readPart(settings, Logging::from)
        .orElse(DEFAULT)
        .apply((LoggerContext) LoggerFactory.getILoggerFactory());
  }

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
    // The client logs every failed attempt with a stack trace; our code logs it in one line.
    context.getLogger("io.fabric8").setLevel(Level.ERROR);
    // It logs even a release without an answer as an error; the janitor's Leadership logs each.
    context.getLogger("io.fabric8.kubernetes.client.extended.leaderelection").setLevel(Level.OFF);
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

  /** Configures logging before settings are read, and for programs without settings. */
  @ConfiguratorRank(ConfiguratorRank.CUSTOM_TOP_PRIORITY)
  public static final class Default extends ContextAwareBase implements Configurator {
    @Override
    public ExecutionStatus configure(LoggerContext context) {
      DEFAULT.apply(context);
      return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
  }
}
