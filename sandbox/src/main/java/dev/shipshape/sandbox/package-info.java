/**
 * A Kubernetes control plane on this machine, for tests and the demo: etcd, kube-apiserver and
 * kube-controller-manager, and where these programs come from.
 */
@NullMarked
package dev.shipshape.sandbox;

import org.jspecify.annotations.NullMarked;
