package dev.shipshape.webhook.certificate;

import io.fabric8.kubernetes.client.informers.ResourceEventHandler;

/** Calls the same whatever happens. */
public record OnEveryEvent<T>(Runnable call) implements ResourceEventHandler<T> {
  @Override
  public void onAdd(T object) {
    call.run();
  }

  @Override
  public void onUpdate(T before, T after) {
    call.run();
  }

  @Override
  public void onDelete(T object, boolean unknown) {
    call.run();
  }
}
