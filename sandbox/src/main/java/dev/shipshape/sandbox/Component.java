package dev.shipshape.sandbox;

import java.util.Locale;

/** The components of a control plane, each of which is a program. */
enum Component {
  ETCD("go.etcd.io/etcd/server/v3"),
  KUBE_APISERVER("k8s.io/kubernetes/cmd/kube-apiserver"),
  KUBE_CONTROLLER_MANAGER("k8s.io/kubernetes/cmd/kube-controller-manager");

  private final String goPackage;

  Component(String goPackage) {
    this.goPackage = goPackage;
  }

  /** The Go package that it is built from. */
  String goPackage() {
    return goPackage;
  }

  /** Its name as a file, and for people. */
  String fileName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
