package dev.shipshape.webhook.review;

/** What the API server was asked to do. */
public enum Operation {
  CREATE,
  UPDATE,
  DELETE,
  CONNECT
}
