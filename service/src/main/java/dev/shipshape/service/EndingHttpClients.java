package dev.shipshape.service;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientImpl;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.InetAddress;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * The library's HTTP clients, which end when they are closed. The library leaves it to the garbage
 * collector to end the thread that waits for their connections, and while that one waits, the end
 * of the process takes 0.3 s more, which a user of the command line waits for.
 *
 * <p>For one client of Kubernetes: all that were made end at once.
 */
final class EndingHttpClients extends JdkHttpClientFactory {
  private final Queue<HttpClient> made = new ConcurrentLinkedQueue<>();

  /**
   * Those that the library makes for a token and then closes are not ours, and must not end ours.
   */
  @Override
  public io.fabric8.kubernetes.client.http.HttpClient.Builder newBuilder(Config config) {
    var ours = newBuilder();
    HttpClientUtils.applyCommonConfiguration(config, ours, new JdkHttpClientFactory());
    return ours;
  }

  @Override
  protected HttpClient.Builder createNewHttpClientBuilder() {
    return new Remembering(super.createNewHttpClientBuilder());
  }

  @Override
  protected void closeHttpClient(JdkHttpClientImpl client) {
    made.forEach(HttpClient::shutdownNow);
    made.clear();
    super.closeHttpClient(client);
  }

  /** A builder whose clients can be found again: the library keeps them to itself. */
  private final class Remembering implements HttpClient.Builder {
    private final HttpClient.Builder builder;

    private Remembering(HttpClient.Builder builder) {
      this.builder = builder;
    }

    @Override
    public HttpClient build() {
      var client = builder.build();
      made.add(client);
      return client;
    }

    @Override
    public HttpClient.Builder cookieHandler(CookieHandler handler) {
      builder.cookieHandler(handler);
      return this;
    }

    @Override
    public HttpClient.Builder connectTimeout(Duration timeout) {
      builder.connectTimeout(timeout);
      return this;
    }

    @Override
    public HttpClient.Builder sslContext(SSLContext context) {
      builder.sslContext(context);
      return this;
    }

    @Override
    public HttpClient.Builder sslParameters(SSLParameters parameters) {
      builder.sslParameters(parameters);
      return this;
    }

    @Override
    public HttpClient.Builder executor(Executor executor) {
      builder.executor(executor);
      return this;
    }

    @Override
    public HttpClient.Builder followRedirects(HttpClient.Redirect policy) {
      builder.followRedirects(policy);
      return this;
    }

    @Override
    public HttpClient.Builder version(HttpClient.Version version) {
      builder.version(version);
      return this;
    }

    @Override
    public HttpClient.Builder priority(int priority) {
      builder.priority(priority);
      return this;
    }

    @Override
    public HttpClient.Builder proxy(ProxySelector selector) {
      builder.proxy(selector);
      return this;
    }

    @Override
    public HttpClient.Builder localAddress(InetAddress address) {
      builder.localAddress(address);
      return this;
    }

    @Override
    public HttpClient.Builder authenticator(Authenticator authenticator) {
      builder.authenticator(authenticator);
      return this;
    }
  }
}
