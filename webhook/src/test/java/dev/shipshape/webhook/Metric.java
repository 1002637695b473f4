package dev.shipshape.webhook;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;

/** Figures as Prometheus would scrape them. */
final class Metric {
  private Metric() {}

  /** The whole text of a management port's path. */
  static String page(int managementPort, String path) throws Exception {
    try (var http = HttpClient.newHttpClient()) {
      var uri = URI.create("http://127.0.0.1:%d%s".formatted(managementPort, path));
      return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
    }
  }

  /** The sum of all series of this name that have these labels. */
  static double sum(int managementPort, String name, String... labels) throws Exception {
    return page(managementPort, "/metrics")
        .lines()
        .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
        .filter(line -> Arrays.stream(labels).allMatch(line::contains))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
