package dev.shipshape.webhook.admission;

public enum Operation {
  CREATE,
  UPDATE,
  DELETE,
  CONNECT
}
