package dev.shipshape.sandbox;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.Properties;

/** What programs.properties pins. */
record ProgramProperties(Properties values) {

  static ProgramProperties load() {
    var values = new Properties();
    try {
      values.load(new StringReader(Resource.text("programs.properties")));
    } catch (IOException e) {
      throw new UncheckedIOException("a string cannot fail to be read", e);
    }
    return new ProgramProperties(values);
  }

  String get(String key) {
    var value = values.getProperty(key);
    if (value == null) {
      throw new IllegalStateException("programs.properties lacks " + key);
    }
    return value;
  }
}
