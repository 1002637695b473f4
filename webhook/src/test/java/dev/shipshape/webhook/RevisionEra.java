package dev.shipshape.webhook;

import static dev.shipshape.webhook.Json.object;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** The operators whose revisions are rolled out by nodes' objects, and what they write. */
enum RevisionEra {
  SCHIFF("network.schiff.telekom.de", "schiff-revisions", "revision-era"),
  T_CAAS("network.t-caas.telekom.com", "t-caas", "tcaas-era");

  final String group;
  final String preset;
  final String folder;

  RevisionEra(String group, String preset, String folder) {
    this.group = group;
    this.preset = preset;
    this.folder = folder;
  }

  ObjectNode revision(String name, int vni) {
    var content = "layer2: [{name: 'a', id: 100, mtu: 1500, vni: %d}], vrf: []".formatted(vni);
    return object(
        "{apiVersion: '%s/v1alpha1', kind: 'NetworkConfigRevision', metadata: {name: '%s'}, spec: {%s, revision: '%s'}}"
            .formatted(
                group,
                name,
                this == T_CAAS
                    ? content
                    : "config: {revision: '', routingTable: [], %s}"
                        .formatted(content.replace("name: 'a', ", "")),
                name));
  }

  ObjectNode node(String name, String revision) {
    return object(
        "{apiVersion: '%s/v1alpha1', kind: 'NodeNetworkConfig', metadata: {name: '%s'}, spec: {revision: '%s', %s}}"
            .formatted(
                group,
                name,
                revision,
                this == T_CAAS ? "layer2s: {}" : "layer2: [], vrf: [], routingTable: []"));
  }

  String path(String plural, String name) {
    return "/apis/%s/v1alpha1/%s/%s".formatted(group, plural, name);
  }
}
