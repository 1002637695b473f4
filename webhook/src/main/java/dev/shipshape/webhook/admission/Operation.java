package dev.shipshape.webhook.admission;

/** The operation of an admission request. */
public enum Operation {
  CREATE,
  UPDATE,
  DELETE,
  CONNECT
}
