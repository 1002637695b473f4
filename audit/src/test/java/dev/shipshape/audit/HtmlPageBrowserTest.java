package dev.shipshape.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Skipped where no Chromium is installed, except in CI. Screenshots are in {@code target/html}. */
class HtmlPageBrowserTest {
  private static final Path FOLDER = Path.of("target", "html").toAbsolutePath();
  private static final String TAB = "\uE004";
  private static final String ENTER = "\uE007";
  private static final String ESCAPE = "\uE00C";
  private static final String HOME = "\uE011";
  private static final String END = "\uE010";
  private static final String RIGHT = "\uE014";

  private static Browser browser;

  @BeforeAll
  static void start() throws IOException {
    assumeTrue(
        Browser.isInstalled() || "true".equals(System.getenv("CI")),
        "needs chromium and chromedriver (Debian: chromium, chromium-driver) on the PATH");
    Files.createDirectories(FOLDER);
    browser = new Browser();
  }

  @AfterAll
  static void stop() throws IOException {
    if (browser != null) {
      browser.close();
    }
  }

  @AfterEach
  void hasNoErrorInTheConsoleAndAsksForNothingElse() throws IOException {
    assertThat(browser.console()).isEmpty();
    assertThat(browser.requests()).allMatch(address -> address.matches("(file|data):.*"));
  }

  @Test
  void opensTheRequestThatIsClicked() throws IOException {
    open("story", SampleEvents.story());
    browser.screenshot(FOLDER.resolve("light.png"));
    clickOn("e.verb === 'patch' && e.actor === 'kubernetes-admin'");

    assertThat(panel())
        .contains("patch 200 deployments.apps/services/cfs-api")
        .contains("2026-11-01T12:02:30.200000Z")
        .contains("jane@example.org", "master-1/audit.log")
        .contains("\"replicas\": 5")
        .containsPattern("-\\s+\"replicas\": 3\\s+\\+\\s+\"replicas\": 5")
        .doesNotContain("managedFields\"");
    assertThat(text("live")).contains("12:02:30.200000 patch deployments.apps/services/cfs-api");
    browser.run("fit()");
    browser.screenshot(FOLDER.resolve("difference-light.png"));
    browser.dark(true);
    browser.screenshot(FOLDER.resolve("difference-dark.png"));
    browser.press(ESCAPE);
    assertThat(panel()).startsWith("3 races");
    browser.screenshot(FOLDER.resolve("dark.png"));

    clickOn("e.code === 409");
    assertThat(panel()).contains("Message\nthe object has been modified");
  }

  @Test
  void comparesWithThePreviousResponseOfTheSameObject() throws IOException {
    open("story", SampleEvents.story());

    clickOn("e.verb === 'create' && e.code === 201 && e.received % 1e6 === 931507");
    assertThat(panel()).contains("This is the first response with this object");
    clickOn("e.verb === 'delete'");
    assertThat(panel())
        .contains("The response is a Status", "\"propagationPolicy\": \"Background\"");
    clickOn("e.verb === 'get' && e.code === 404");
    assertThat(panel()).contains("No body: level Metadata.");
  }

  @Test
  void comparesInTheOrderOfResourceVersions() throws IOException {
    var requests = new Requests();
    for (var each : List.of("9 1", "11 9007199254740993", "10 2")) {
      var body =
          "{\"metadata\":{\"uid\":\"1\",\"resourceVersion\":\"%s\"},\"spec\":{\"replicas\":%s}}"
              .formatted((Object[]) each.split(" "));
      requests.request("a", "get", "pods/shop/web", 200, null, body);
    }
    open("versions", SampleEvents.read(requests));

    browser.run("open(events[1])");
    assertThat(panel())
        .contains("(resourceVersion 10 to 11)")
        .containsPattern("-\\s+\"replicas\": 2\\s+\\+\\s+\"replicas\": 9007199254740993");
    browser.run("open(events[2])");
    assertThat(panel()).contains("(resourceVersion 9 to 10)");
    browser.run("open(events[0])");
    assertThat(panel()).contains("This is the first response with this object");
  }

  @Test
  void findsTheShortestDifference() throws IOException {
    open("empty", new SampleEvents.Sample(List.of(), List.of()));
    var wrong =
        browser.run(
            """
            const longest = (a, b) => {
              const best = Array.from({length: a.length + 1}, () => new Array(b.length + 1).fill(0));
              for (let i = a.length - 1; i >= 0; i--) for (let j = b.length - 1; j >= 0; j--)
                best[i][j] = a[i] === b[j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
              return best[0][0];
            };
            let seed = 18;
            const random = n => (seed = (seed * 48271) % 2147483647) % n;
            const list = n => Array.from({length: random(n)}, () => "abcde"[random(5)]);
            const wrong = [];
            for (let run = 0; run < 600; run++) {
              const a = list(14), b = list(14), lines = diff(a, b), only = mark => lines.filter(l => l[0] !== mark).map(l => l[1]).join("");
              const kept = lines.filter(l => l[0] === " ").length;
              if (only("+") !== a.join("") || only("-") !== b.join("") || kept !== longest(a, b)) wrong.push([a.join(""), b.join("")]);
            }
            const far = diff(Array.from({length: 3000}, (_, i) => "a" + i), Array.from({length: 3000}, (_, i) => "b" + i));
            if (far.length !== 6000) wrong.push(far.length);
            return wrong;
            """);
    assertThat(wrong).isEmpty();
  }

  @Test
  void zoomsAboutThePointerAndPansByDragging() throws IOException {
    open("story", SampleEvents.story());
    double whole = span();
    double under = browser.run("return us(700)").doubleValue();
    browser.wheel(700, 300, -400);
    assertThat(span()).isLessThan(whole / 2);
    assertThat(browser.run("return us(700)").doubleValue()).isCloseTo(under, Offset.offset(2.0));

    browser.drag(700, 600, 600);
    assertThat(browser.run("return us(600)").doubleValue()).isCloseTo(under, Offset.offset(2.0));
    assertThat(panel()).startsWith("3 races");
  }

  @Test
  void leadsFromARaceToItsRequests() throws IOException {
    open("story", SampleEvents.story());
    browser.run("document.querySelectorAll('#panel .row')[0].click()");
    assertThat(panel()).contains("12:01:35.500123 delete", "12:01:35.931507 create");
    browser.screenshot(FOLDER.resolve("race.png"));

    browser.run("document.querySelectorAll('#panel .inner .row')[0].click()");
    assertThat(panel()).contains("delete 200 deployments.apps/services/cfs-api", "Re-created");
  }

  @Test
  void filtersByTerms() throws IOException {
    open("story", SampleEvents.story());
    browser.press("/");
    browser.press("409 cfs");
    assertThat(text("count")).startsWith("1 of ");

    browser.run("document.getElementById('filter').value = ''");
    browser.press("deployments -get -watch");
    int found = number("shown.length");
    assertThat(found).isPositive();
    assertThat(number("shown.filter(e => ['get', 'watch'].includes(e.verb)).length")).isZero();
    assertThat(
            number(
                "events.filter(e => e.text.includes('deployments') && !e.text.includes('get')"
                    + " && !e.text.includes('watch')).length"))
        .isEqualTo(found);
  }

  @Test
  void isOperatedByTheKeyboard() throws IOException {
    var sample = SampleEvents.story();
    open("story", sample);
    browser.press("/" + ENTER);
    browser.press(HOME);
    assertThat(number("selected.index")).isZero();
    browser.press("jj" + TAB + "k");
    assertThat(number("selected.index")).isEqualTo(2);
    browser.press(END + ENTER);
    assertThat(number("selected.index")).isEqualTo(sample.events().size() - 1);
    assertThat(panel()).contains("Audit ID", sample.events().getLast().event().auditId());

    browser.press(HOME);
    double whole = span();
    browser.press("+++");
    assertThat(span()).isLessThan(whole / 2);
    double before = from();
    browser.press(RIGHT);
    assertThat(from()).isGreaterThan(before);
    browser.press("---");
    browser.press("0");
    assertThat(span()).isCloseTo(whole, Offset.offset(2.0));

    browser.press(ESCAPE);
    assertThat(panel()).startsWith("3 races");
    browser.press(TAB);
    assertThat(browser.run("return document.activeElement === canvas").asBoolean()).isFalse();
  }

  @Test
  void showsHostileTextAsText() throws IOException {
    var hostile = "</script><img src=x onerror=alert(1)>";
    var event = SampleEvents.event(hostile, hostile, "{\"a\":\"" + hostile + "\"}");
    var race = SampleEvents.race(hostile, event);
    open("hostile", new SampleEvents.Sample(List.of(event), List.of(race)));
    browser.press("j" + ENTER);

    assertThat(panel()).contains("Actor\n" + hostile, "\"a\": \"" + hostile + "\"");
    assertThat(browser.run("return document.querySelectorAll('img').length").intValue()).isZero();
  }

  @Test
  void staysAPageWithoutRequests() throws IOException {
    open("empty", new SampleEvents.Sample(List.of(), List.of()));
    browser.press("j0" + HOME + END + ENTER);

    assertThat(text("summary")).isEqualTo("No requests");
  }

  @Test
  void fitsASmallScreen() throws IOException {
    browser.size(420, 800);
    openAsIs("story", SampleEvents.story());
    clickOn("e.verb === 'patch' && e.actor === 'kubernetes-admin'");
    browser.screenshot(FOLDER.resolve("small.png"));

    assertThat(number("document.documentElement.scrollWidth")).isLessThanOrEqualTo(420);
  }

  private static void open(String name, SampleEvents.Sample sample) throws IOException {
    browser.size(1440, 860);
    openAsIs(name, sample);
  }

  private static void openAsIs(String name, SampleEvents.Sample sample) throws IOException {
    browser.dark(false);
    var file = FOLDER.resolve(name + ".html");
    try (var out = Files.newOutputStream(file)) {
      HtmlPage.write(out, new ArrayDeque<>(sample.events())::poll, sample.races());
    }
    browser.open(file);
  }

  /** Clicks where the first request is painted that the test names. */
  private static void clickOn(String test) throws IOException {
    var point =
        browser.run(
            """
            const e = shown.find(e => %s), box = canvas.getBoundingClientRect();
            show(e.received - 1e6, e.received + 1e6);
            reveal(e);
            return [box.left + x(e.received) + 1, box.top + HEAD + e.row.y - $("lanes").scrollTop];
            """
                .formatted(test));
    browser.click(point.get(0).intValue(), point.get(1).intValue());
  }

  private static String panel() throws IOException {
    return text("panel");
  }

  private static String text(String id) throws IOException {
    return browser.run("return document.getElementById('" + id + "').innerText").asText();
  }

  private static int number(String expression) throws IOException {
    return browser.run("return " + expression).intValue();
  }

  private static double from() throws IOException {
    return browser.run("return from").doubleValue();
  }

  private static double span() throws IOException {
    return browser.run("return to - from").doubleValue();
  }
}
