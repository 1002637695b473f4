package dev.shipshape.janitor.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The CFS service, versions 2 and 3, as its public specification says: sessions sorted by name,
 * {@code limit} and {@code after_id} in version 3, 400 over a page in version 2, RFC 7807 errors,
 * naive times. The errors are in the service's own words ({@code controllers/sessions.py}), or in
 * those of its framework (connexion) where the service says none.
 */
public final class FakeCfs implements AutoCloseable {
  /** What the framework says of an exception that nobody caught, such as Kafka's. */
  static final String FAILURE =
      "The server encountered an internal error and was unable to complete your request. Either"
          + " the server is overloaded or there is an error in the application.";

  static final String TOO_LARGE =
      "The response size exceeds the default_page_size.  Use the v3 API to page through the"
          + " results.";

  private static final String NO_ROUTE =
      "The requested URL was not found on the server. If you entered the URL manually please check"
          + " your spelling and try again.";

  /** The parameters of a list that a page's {@code next} repeats as they were sent. */
  private static final List<String> FILTERS =
      List.of("age", "min_age", "max_age", "status", "name_contains", "succeeded", "tags");

  private static final int V2_MOST = 1000;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final HttpServer server;
  private final Set<String> versions;
  private final TreeMap<String, ObjectNode> sessions = new TreeMap<>();
  public final List<String> requests = new CopyOnWriteArrayList<>();

  /** How many deletions are carried out and then answered with an error, as where Kafka fails. */
  final AtomicInteger deletionsAnsweredWithAnError = new AtomicInteger();

  private final List<Fault> faults = new CopyOnWriteArrayList<>();
  private final List<Hook> hooks = new CopyOnWriteArrayList<>();
  private @Nullable String token;

  private record Fault(Predicate<String> request, boolean again, int status, String body) {}

  private record Hook(Predicate<String> request, Runnable action) {}

  private FakeCfs(HttpServer server, Set<String> versions) {
    this.server = server;
    this.versions = versions;
  }

  /**
   * Starts the service.
   *
   * @param versions those that it serves, {@code v2} or {@code v3} or both
   */
  public static FakeCfs start(String... versions) throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    var fake = new FakeCfs(server, Set.of(versions));
    server.createContext("/", fake::answer);
    server.start();
    return fake;
  }

  /** From now on calls without this token are answered 401. */
  synchronized void demand(String token) {
    this.token = token;
  }

  /**
   * Answers the next request that matches, and only that one, without carrying it out.
   *
   * @param request of method, a blank, and path with query
   */
  public void once(Predicate<String> request, int status, String body) {
    faults.add(new Fault(request, false, status, body));
  }

  /** As {@link #once}, each time. */
  public void always(Predicate<String> request, int status, String body) {
    faults.add(new Fault(request, true, status, body));
  }

  /** Ends all that {@link #once} and {@link #always} began. */
  public void heal() {
    faults.clear();
  }

  /** Has something done before each request that matches is answered. */
  public void before(Predicate<String> request, Runnable action) {
    hooks.add(new Hook(request, action));
  }

  public URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** Stores a session; one of that name is replaced. */
  public synchronized void put(
      String name, String state, String started, @Nullable String completed, @Nullable String job) {
    var session = JsonNodeFactory.instance.objectNode().put("name", name);
    session.putObject("tags");
    var status = session.putObject("status");
    status.putArray("artifacts");
    status
        .putObject("session")
        .put("status", state)
        .put("succeeded", "true")
        .put("job", job)
        .put("start", started)
        .put("completion", completed);
    sessions.put(name, session);
  }

  /** As where a user deletes it. */
  public synchronized void remove(String name) {
    sessions.remove(name);
  }

  /** Gives a session a tag. */
  public synchronized void tag(String name, String key, String value) {
    ((ObjectNode) stored(name).path("tags")).put(key, value);
  }

  /** Says whether a session succeeded; null to leave that out. */
  public synchronized void succeed(String name, @Nullable String value) {
    ((ObjectNode) stored(name).at("/status/session")).put("succeeded", value);
  }

  /** Has a session hold the record of an image. */
  public synchronized void giveImage(String name) {
    ((ArrayNode) stored(name).at("/status/artifacts"))
        .addObject()
        .put("result_id", "46a2731e-a1d0-4f98-ba92-4f78c756bb12");
  }

  public synchronized List<String> names() {
    return List.copyOf(sessions.keySet());
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private ObjectNode stored(String name) {
    var session = sessions.get(name);
    if (session == null) {
      throw new IllegalArgumentException("no session " + name);
    }
    return session;
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    var request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
    requests.add(request);
    var bearer = exchange.getRequestHeaders().getFirst("Authorization");
    hooks.stream().filter(each -> each.request().test(request)).forEach(h -> h.action().run());
    var fault = faults.stream().filter(each -> each.request().test(request)).findFirst();
    if (fault.isPresent() && (fault.get().again() || faults.remove(fault.get()))) {
      send(exchange, fault.get().status(), fault.get().body().getBytes(StandardCharsets.UTF_8));
      return;
    }
    if (token != null && !("Bearer " + token).equals(bearer)) {
      // The gateway's answer: the service itself knows no tokens.
      send(exchange, 401, "Jwt is expired".getBytes(StandardCharsets.UTF_8));
      return;
    }
    var path = exchange.getRequestURI().getPath().split("/", -1);
    if (path.length < 3 || !versions.contains(path[1]) || !path[2].equals("sessions")) {
      problem(exchange, 404, "Not Found", NO_ROUTE);
    } else if (path.length == 3) {
      if (!exchange.getRequestMethod().equals("GET")) {
        throw new IOException("the bulk deletion must never be used");
      }
      list(exchange, path[1]);
    } else {
      one(exchange, path[1], path[3]);
    }
  }

  private void list(HttpExchange exchange, String version) throws IOException {
    if (version.equals("v2")) {
      if (sessions.size() > V2_MOST) {
        problem(exchange, 400, "The response size is too large", TOO_LARGE);
        return;
      }
      var all = JsonNodeFactory.instance.arrayNode();
      sessions.values().forEach(session -> all.add(written(session, version)));
      send(exchange, 200, all);
      return;
    }
    var limit = Integer.parseInt(query(exchange, "limit", "1000"));
    var rest = sessions.tailMap(query(exchange, "after_id", ""), false);
    var page = JsonNodeFactory.instance.objectNode();
    var list = page.putArray("sessions");
    rest.values().stream().limit(limit).forEach(session -> list.add(written(session, version)));
    if (rest.size() > limit) {
      var last = list.get(list.size() - 1).path("name").asText();
      var next = page.putObject("next").put("limit", limit).put("after_id", last);
      FILTERS.forEach(next::putNull);
    } else {
      page.putNull("next");
    }
    send(exchange, 200, page);
  }

  private void one(HttpExchange exchange, String version, String name) throws IOException {
    var session = sessions.get(name);
    if (session == null) {
      var detail = "Session %s could not be found".formatted(name);
      problem(exchange, 404, "Session not found.", detail);
    } else if (exchange.getRequestMethod().equals("DELETE")) {
      sessions.remove(name);
      if (deletionsAnsweredWithAnError.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        problem(exchange, 500, "Internal Server Error", FAILURE);
      } else {
        exchange.sendResponseHeaders(204, -1);
        exchange.close();
      }
    } else {
      send(exchange, 200, written(session, version));
    }
  }

  private static JsonNode written(ObjectNode session, String version) {
    var copy = session.deepCopy();
    var state = (ObjectNode) copy.at("/status/session");
    var started = state.remove("start");
    var completed = state.remove("completion");
    state.set(version.equals("v2") ? "startTime" : "start_time", started);
    state.set(version.equals("v2") ? "completionTime" : "completion_time", completed);
    return copy;
  }

  private static String query(HttpExchange exchange, String name, String fallback) {
    var query = exchange.getRequestURI().getRawQuery();
    for (var parameter : (query == null ? "" : query).split("&", -1)) {
      if (parameter.startsWith(name + "=")) {
        return URLDecoder.decode(parameter.substring(name.length() + 1), StandardCharsets.UTF_8);
      }
    }
    return fallback;
  }

  private static void problem(HttpExchange exchange, int status, String title, String detail)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "application/problem+json");
    send(
        exchange,
        status,
        JsonNodeFactory.instance
            .objectNode()
            .put("type", "about:blank")
            .put("title", title)
            .put("detail", detail)
            .put("status", status));
  }

  private static void send(HttpExchange exchange, int status, JsonNode body) throws IOException {
    send(exchange, status, MAPPER.writeValueAsBytes(body));
  }

  private static void send(HttpExchange exchange, int status, byte[] bytes) throws IOException {
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    try (var out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }
}
