package dev.shipshape.webhook;

import java.nio.charset.StandardCharsets;

/** AdmissionReviews for tests. */
public final class Reviews {
  public static final String UID = "705ab4f5-6393-11e8-b7cc-42010a800002";

  private Reviews() {}

  public static byte[] bytes(String json) {
    return json.getBytes(StandardCharsets.UTF_8);
  }

  public static String creation(String object) {
    return review("CREATE", object, "null");
  }

  public static String update(String object, String oldObject) {
    return review("UPDATE", object, oldObject);
  }

  /** The creation of a revision of the preset {@code t-caas}. */
  public static String creationOfRevision(String name, String object) {
    return creation(object)
        .replace("\"name\":\"worker-1\"", "\"name\":\"" + name + "\"")
        .replace("\"resource\":\"nodeconfigs\"", "\"resource\":\"networkconfigrevisions\"")
        .replace("network.schiff.telekom.de", "network.t-caas.telekom.com");
  }

  public static String review(String operation, String object, String oldObject) {
    return """
    {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{
     "uid":"%s",
     "kind":{"group":"network.schiff.telekom.de","version":"v1alpha1","kind":"NodeConfig"},
     "resource":{"group":"network.schiff.telekom.de","version":"v1alpha1","resource":"nodeconfigs"},
     "requestKind":{"group":"network.schiff.telekom.de","version":"v1alpha1","kind":"NodeConfig"},
     "name":"worker-1","operation":"%s",
     "userInfo":{"username":"jane","groups":["system:authenticated"]},
     "object":%s,"oldObject":%s,"dryRun":false,"options":{"kind":"CreateOptions"}}}
    """
        .formatted(UID, operation, object, oldObject);
  }

  public static String nodeConfig(String name, String spec) {
    return """
    {"apiVersion":"network.schiff.telekom.de/v1alpha1","kind":"NodeConfig",
     "metadata":{"name":"%s"},"spec":%s}
    """
        .formatted(name, spec);
  }

  public static String record(String node, String suffix, String spec) {
    return """
    {"apiVersion":"network.schiff.telekom.de/v1alpha1","kind":"NodeConfig",
     "metadata":{"name":"%1$s%2$s","ownerReferences":[
      {"apiVersion":"v1","kind":"Node","name":"%1$s","uid":"x"}]},"spec":%3$s}
    """
        .formatted(node, suffix, spec);
  }
}
