package dev.shipshape.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A headless Chromium, driven by the W3C WebDriver protocol. */
final class Browser implements AutoCloseable {
  private static final Pattern PORT = Pattern.compile("started successfully on port (\\d+)");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final Process driver;
  private final String root;
  private final String session;

  /** Whether Chromium and its driver are on the PATH. */
  static boolean isInstalled() {
    return program("chromium").isPresent() && program("chromedriver").isPresent();
  }

  Browser() throws IOException {
    driver =
        new ProcessBuilder(required("chromedriver").toString(), "--port=0")
            .redirectErrorStream(true)
            .start();
    root = "http://127.0.0.1:" + port(driver);
    var arguments =
        new ArrayList<>(List.of("--headless=new", "--disable-dev-shm-usage", "--hide-scrollbars"));
    // Chromium's sandbox needs a user other than root.
    if ("root".equals(System.getProperty("user.name"))) {
      arguments.add("--no-sandbox");
    }
    var capabilities =
        Map.of(
            "goog:chromeOptions",
            Map.of("binary", required("chromium").toString(), "args", arguments),
            "goog:loggingPrefs",
            Map.of("browser", "ALL", "performance", "ALL"));
    var created =
        call(
            "POST", root + "/session", Map.of("capabilities", Map.of("alwaysMatch", capabilities)));
    session = root + "/session/" + created.get("sessionId").asText();
  }

  void open(Path page) throws IOException {
    post("/url", Map.of("url", page.toUri().toString()));
  }

  /** Runs the body of a function in the page; a promise that it returns is awaited. */
  JsonNode run(String script) throws IOException {
    return post("/execute/sync", Map.of("script", script, "args", List.of()));
  }

  /** Presses keys one after another where the focus is; {@code \uE004} is Tab, and so on. */
  void press(String keys) throws IOException {
    var actions = new ArrayList<Map<String, String>>();
    for (var key : keys.codePoints().mapToObj(Character::toString).toList()) {
      actions.add(Map.of("type", "keyDown", "value", key));
      actions.add(Map.of("type", "keyUp", "value", key));
    }
    perform(Map.of("type", "key", "id", "keyboard", "actions", actions));
  }

  void click(int x, int y) throws IOException {
    drag(x, y, x);
  }

  void drag(int x, int y, int toX) throws IOException {
    perform(
        Map.of(
            "type",
            "pointer",
            "id",
            "mouse",
            "actions",
            List.of(
                Map.of("type", "pointerMove", "duration", 0, "x", x, "y", y),
                Map.of("type", "pointerDown", "button", 0),
                Map.of("type", "pointerMove", "duration", 0, "x", toX, "y", y),
                Map.of("type", "pointerUp", "button", 0))));
  }

  void wheel(int x, int y, int delta) throws IOException {
    var scroll =
        Map.of("type", "scroll", "x", x, "y", y, "deltaX", 0, "deltaY", delta, "duration", 0);
    perform(Map.of("type", "wheel", "id", "wheel", "actions", List.of(scroll)));
  }

  void size(int width, int height) throws IOException {
    devTools(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  void dark(boolean dark) throws IOException {
    var scheme = Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light");
    devTools("Emulation.setEmulatedMedia", Map.of("features", List.of(scheme)));
  }

  void screenshot(Path file) throws IOException {
    run("return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
    var image = call("GET", session + "/screenshot", null).asText();
    Files.createDirectories(file.getParent());
    Files.write(file, Base64.getDecoder().decode(image));
  }

  /** What the console says since the last call, such as script errors and CSP violations. */
  List<String> console() throws IOException {
    return log("browser").map(entry -> entry.get("message").asText()).toList();
  }

  /** The addresses that were asked for since the last call. */
  List<String> requests() throws IOException {
    var addresses = new ArrayList<String>();
    for (var entry : log("performance").toList()) {
      var message = JSON.readTree(entry.get("message").asText()).get("message");
      if (message.get("method").asText().equals("Network.requestWillBeSent")) {
        addresses.add(message.at("/params/request/url").asText());
      }
    }
    return addresses;
  }

  @Override
  public void close() throws IOException {
    try {
      call("DELETE", session, null);
    } finally {
      driver.destroy();
    }
  }

  private Stream<JsonNode> log(String type) throws IOException {
    return post("/se/log", Map.of("type", type)).valueStream();
  }

  private void perform(Map<String, ?> source) throws IOException {
    post("/actions", Map.of("actions", List.of(source)));
  }

  private void devTools(String command, Map<String, ?> parameters) throws IOException {
    post("/goog/cdp/execute", Map.of("cmd", command, "params", parameters));
  }

  private JsonNode post(String path, Object body) throws IOException {
    return call("POST", session + path, body);
  }

  private JsonNode call(String method, String address, @Nullable Object body) throws IOException {
    var publisher =
        body == null
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body));
    var request = HttpRequest.newBuilder(URI.create(address)).method(method, publisher).build();
    HttpResponse<String> answer;
    try {
      answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted at " + method + " " + address);
    }
    if (answer.statusCode() != 200) {
      throw new IOException(method + " " + address + " failed: " + answer.body());
    }
    return JSON.readTree(answer.body()).get("value");
  }

  private static String port(Process driver) throws IOException {
    var said = driver.inputReader(StandardCharsets.UTF_8);
    for (var line = said.readLine(); line != null; line = said.readLine()) {
      var port = PORT.matcher(line);
      if (port.find()) {
        return port.group(1);
      }
    }
    throw new IOException("chromedriver ended before it said its port");
  }

  private static Path required(String name) throws IOException {
    return program(name)
        .orElseThrow(
            () ->
                new IOException(
                    name + " is not on the PATH: install Debian's chromium and chromium-driver"));
  }

  private static Optional<Path> program(String name) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
