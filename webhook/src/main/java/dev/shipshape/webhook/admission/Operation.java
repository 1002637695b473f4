package dev.shipshape.webhook.admission;

/** What the API server was asked to do. */
public enum Operation {
  CREATE,
  UPDATE,
  DELETE,
  CONNECT
}
