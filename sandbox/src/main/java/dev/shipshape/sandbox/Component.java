package dev.shipshape.sandbox;

import java.util.Locale;

/** The components of a control plane, each of which is a program. */
enum Component {
  ETCD,
  KUBE_APISERVER,
  KUBE_CONTROLLER_MANAGER;

  /** Its name as a file, and for people. */
  String fileName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
