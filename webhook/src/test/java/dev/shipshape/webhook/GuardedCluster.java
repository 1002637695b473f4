package dev.shipshape.webhook;

import static dev.shipshape.webhook.Api.NODE_CONFIGS;
import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.NodeConfigs.config;
import static dev.shipshape.webhook.NodeConfigs.ownedBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** A real API server with the webhook installed, and what most tests do with it. */
final class GuardedCluster implements AutoCloseable {
  private static final AtomicInteger VNI = new AtomicInteger(10_000);

  private final Api api;
  private final InstalledWebhook webhook;

  private GuardedCluster(Api api, InstalledWebhook webhook) {
    this.api = api;
    this.webhook = webhook;
  }

  static GuardedCluster install(ControlPlane cluster, UniqueNames names, Path folder)
      throws Exception {
    return install(cluster, names, folder, "", "");
  }

  static GuardedCluster install(
      ControlPlane cluster, UniqueNames names, Path folder, String settings, String mutated)
      throws Exception {
    var api = Api.asAdministrator(cluster);
    var name = names.name("shipshape");
    return new GuardedCluster(
        api, InstalledWebhook.install(cluster, api, folder, name, settings, mutated));
  }

  /** With the guard not armed. */
  static GuardedCluster installUnarmed(ControlPlane cluster, UniqueNames names, Path folder)
      throws Exception {
    var api = Api.asAdministrator(cluster);
    var name = names.name("shipshape");
    return new GuardedCluster(api, InstalledWebhook.installUnarmed(cluster, api, folder, name));
  }

  /** A number such that no other test has a configuration with it, or with the nine after it. */
  static int newVni() {
    return VNI.getAndAdd(10);
  }

  Api api() {
    return api;
  }

  InstalledWebhook webhook() {
    return webhook;
  }

  Api.Reply create(ObjectNode object) throws Exception {
    return api.post(NODE_CONFIGS, object);
  }

  Api.Reply update(String name, ObjectNode config) throws Exception {
    var stored = api.get(NODE_CONFIGS + "/" + name).expect(200).object();
    stored.set("spec", config.get("spec"));
    return api.put(NODE_CONFIGS + "/" + name, stored);
  }

  /** Records a config as failed on a new node, and waits until the webhook knows. */
  String recordInvalid(String node, int vni) throws Exception {
    var uid = writeInvalidRecord(node, vni);
    eventually(() -> api.post(NODE_CONFIGS + "?dryRun=All", config(node + "-x", vni)).expect(403));
    return uid;
  }

  /** Records a config as failed on a new node, whose object had it for a moment. */
  String writeInvalidRecord(String node, int vni) throws Exception {
    var uid = api.node(node);
    var own = api.get(NODE_CONFIGS + "/" + node);
    if (own.status() == 404) {
      create(config(node, vni)).expect(201);
    } else {
      update(node, config(node, vni)).expect(200);
    }
    create(ownedBy(config(node + "-invalid", vni), node, uid)).expect(201);
    if (own.status() == 404) {
      api.delete(NODE_CONFIGS + "/" + node).expect(200);
    } else {
      update(node, own.object()).expect(200);
    }
    return uid;
  }

  @Override
  public void close() {
    try {
      webhook.remove();
    } catch (Exception e) {
      throw new IllegalStateException("could not remove the webhook", e);
    } finally {
      api.close();
    }
  }
}
