package dev.shipshape.sandbox;

import java.util.Locale;

/** The programs of a control plane. */
enum Program {
  ETCD,
  KUBE_APISERVER,
  KUBE_CONTROLLER_MANAGER;

  /** Its name as a file, and for people. */
  String fileName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
