package dev.shipshape.webhook.certificate;

import java.util.ArrayList;
import java.util.List;

/**
 * The names by which a Service is reached. The API server itself uses {@code name.namespace.svc}.
 */
final class ServiceNames {
  private ServiceNames() {}

  static List<String> of(CertificateSettings.SelfManaged settings, String namespace) {
    var base = settings.service() + "." + namespace;
    var names = new ArrayList<>(List.of(base + ".svc", base + ".svc.cluster.local", base));
    names.addAll(settings.moreNames());
    return List.copyOf(names);
  }
}
