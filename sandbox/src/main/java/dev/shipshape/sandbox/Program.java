package dev.shipshape.sandbox;

import java.util.Locale;

/** The programs of a control plane. */
enum Program {
  ETCD("go.etcd.io/etcd/server/v3"),
  KUBE_APISERVER("k8s.io/kubernetes/cmd/kube-apiserver"),
  KUBE_CONTROLLER_MANAGER("k8s.io/kubernetes/cmd/kube-controller-manager");

  private final String goPackage;

  Program(String goPackage) {
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
