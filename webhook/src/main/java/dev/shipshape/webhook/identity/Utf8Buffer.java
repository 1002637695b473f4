package dev.shipshape.webhook.identity;

import java.util.Arrays;

/** Bytes that grow, without the locks of the JDK's stream. */
final class Utf8Buffer {
  private static final int FIRST_SIZE = 8192;

  private byte[] bytes = new byte[FIRST_SIZE];
  private int size;

  void put(int value) {
    if (size == bytes.length) {
      bytes = Arrays.copyOf(bytes, size * 2);
    }
    bytes[size++] = (byte) value;
  }

  void ascii(String text) {
    for (var at = 0; at < text.length(); at++) {
      put(text.charAt(at));
    }
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

  byte[] bytes() {
    return Arrays.copyOf(bytes, size);
  }

  private void continuation(int sixBits) {
    put(0x80 | (sixBits & 0x3F));
  }
}
