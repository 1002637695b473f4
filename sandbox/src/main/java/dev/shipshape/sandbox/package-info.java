/**
 * A Kubernetes control plane on this machine, for tests and the demo: etcd, kube-apiserver and
 * kube-controller-manager. Also finds, downloads or builds these programs.
 */
@NullMarked
package dev.shipshape.sandbox;

import org.jspecify.annotations.NullMarked;
