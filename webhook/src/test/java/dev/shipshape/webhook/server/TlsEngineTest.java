package dev.shipshape.webhook.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TlsEngineTest {
  @Test
  void whyThereIsNoNativeLibraryIsWhatTheLoaderSaidOfEachPlace() {
    var cause = new IllegalArgumentException("Failed to load any of the given libraries");
    var first = new UnsatisfiedLinkError("libgcc_s.so.1: cannot open shared object file");
    first.addSuppressed(new UnsatisfiedLinkError("no netty_tcnative in java.library.path"));
    cause.addSuppressed(first);
    cause.addSuppressed(new UnsatisfiedLinkError("libgcc_s.so.1: cannot open shared object file"));

    assertThat(TlsEngine.reasons(cause))
        .isEqualTo(
            "libgcc_s.so.1: cannot open shared object file; no netty_tcnative in"
                + " java.library.path");
  }

  @Test
  void whereNothingIsKnownItSaysSoMuch() {
    assertThat(TlsEngine.reasons(null)).isEqualTo("no native library for this machine");
  }
}
