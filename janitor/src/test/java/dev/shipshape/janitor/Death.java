package dev.shipshape.janitor;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What becomes of a process that dies at one of its requests: the rest of its code may run, but no
 * request goes out any more and no answer comes in.
 */
public final class Death implements Interceptor {
  private final int at;
  private final boolean afterwards;
  private final AtomicInteger sent = new AtomicInteger();
  private volatile boolean dead;

  /**
   * @param at after so many requests
   * @param afterwards that one is still sent, but its answer not heard
   */
  public Death(int at, boolean afterwards) {
    this.at = at;
    this.afterwards = afterwards;
  }

  public boolean isDead() {
    return dead;
  }

  /** How many there were. */
  int requests() {
    return sent.get();
  }

  @Override
  public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
    var number = sent.getAndIncrement();
    if (dead || number > at || (number == at && !afterwards)) {
      dead = true;
      throw new IllegalStateException("dead before request " + number);
    }
  }

  @Override
  public AsyncBody.Consumer<List<ByteBuffer>> consumer(
      AsyncBody.Consumer<List<ByteBuffer>> consumer, HttpRequest request) {
    return consumer;
  }

  @Override
  public void after(
      HttpRequest request,
      HttpResponse<?> response,
      AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    if (dead || (afterwards && sent.get() > at)) {
      dead = true;
      throw new IllegalStateException("dead before an answer was heard");
    }
  }
}
