package dev.shipshape.webhook.identity;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;

/** Canonical JSON as it is written: bytes that grow, and that can be put into another order. */
final class Utf8Buffer {
  private static final int SMALLEST = 64;

  private byte[] bytes;
  private byte[] aside = {};
  private int size;

  /**
   * @param expected how many bytes are likely to come; more are no mistake
   */
  Utf8Buffer(int expected) {
    bytes = new byte[Math.max(expected, SMALLEST)];
  }

  int size() {
    return size;
  }

  void put(int value) {
    if (size == bytes.length) {
      reserve(1);
    }
    bytes[size++] = (byte) value;
  }

  void append(byte[] utf8) {
    append(utf8, 0, utf8.length);
  }

  void append(byte[] utf8, int from, int length) {
    reserve(length);
    System.arraycopy(utf8, from, bytes, size, length);
    size += length;
  }

  /** Adds what is here already. */
  void repeat(Span slice) {
    append(bytes, slice.from(), slice.to() - slice.from());
  }

  void ascii(String text) {
    reserve(text.length());
    for (var at = 0; at < text.length(); at++) {
      bytes[size++] = (byte) text.charAt(at);
    }
  }

  /** Adds characters for as long as they are ASCII that JSON leaves alone; gives where it ended. */
  int plain(char[] text, int from, int to) {
    reserve(to - from);
    var at = from;
    var place = size;
    for (; at < to && isPlain(text[at]); at++) {
      bytes[place++] = (byte) text[at];
    }
    size = place;
    return at;
  }

  private static boolean isPlain(char unit) {
    return unit >= ' ' && unit < 0x80 && unit != '"' && unit != '\\';
  }

  void codePoint(int point) {
    if (point < 0x80) {
      put(point);
    } else if (point < 0x800) {
      put(0xC0 | point >> 6);
      continuation(point);
    } else if (point < 0x10000) {
      put(0xE0 | point >> 12);
      continuation(point >> 6);
      continuation(point);
    } else {
      put(0xF0 | point >> 18);
      continuation(point >> 12);
      continuation(point >> 6);
      continuation(point);
    }
  }

  private void continuation(int sixBits) {
    put(0x80 | (sixBits & 0x3F));
  }

  /** Ends a container: the comma behind its last part, if it has any, was one too many. */
  void close(char bracket) {
    if (bytes[size - 1] == ',') {
      size--;
    }
    put(bracket);
  }

  /** Takes back everything from this place on. */
  void truncate(int place) {
    size = place;
  }

  /** Puts these slices, a comma behind each, in the place of everything from there on. */
  void rearrange(int place, List<? extends Span> slices) {
    if (aside.length < size - place + slices.size()) {
      aside = new byte[size - place + slices.size()];
    }
    var length = 0;
    for (var slice : slices) {
      System.arraycopy(bytes, slice.from(), aside, length, slice.to() - slice.from());
      length += slice.to() - slice.from();
      aside[length++] = ',';
    }
    size = place;
    reserve(length);
    System.arraycopy(aside, 0, bytes, place, length);
    size += length;
  }

  /** Whether this is what was written from there on. */
  boolean endsWith(int from, byte[] expected) {
    return Arrays.equals(bytes, from, size, expected, 0, expected.length);
  }

  /** As {@link #endsWith(int, byte[])}, with ASCII. */
  boolean endsWith(int from, String expected) {
    if (size - from != expected.length()) {
      return false;
    }
    for (var at = from; at < size; at++) {
      if (bytes[at] != expected.charAt(at - from)) {
        return false;
      }
    }
    return true;
  }

  byte at(int place) {
    return bytes[place];
  }

  String text(int from, int to) {
    return new String(bytes, from, to - from, UTF_8);
  }

  /** The text that is written there, with its quotes. */
  String decoded(int from, int to) {
    var text = text(from + 1, to - 1);
    if (text.indexOf('\\') < 0) {
      return text;
    }
    try (var json = JsonLimits.FACTORY.createParser(bytes, from, to - from)) {
      return json.nextTextValue();
    } catch (IOException e) {
      throw new UncheckedIOException("what was written cannot fail to be read", e);
    }
  }

  boolean holdsSame(Utf8Buffer other) {
    return Arrays.equals(bytes, 0, size, other.bytes, 0, other.size);
  }

  byte[] bytes() {
    return Arrays.copyOf(bytes, size);
  }

  void feed(MessageDigest digest) {
    digest.update(bytes, 0, size);
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
    }
  }
}
