package dev.shipshape.sandbox.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a test of a behaviour that users rely on. docs/promises.md is generated from these. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Promise {
  /** The behaviour, in one sentence. */
  String value();

  /** A change of the code that would make the test fail. */
  String breaks();
}
