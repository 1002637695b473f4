package dev.shipshape.sandbox.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** On a test of what users rely on. docs/promises.md is made of these. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Promise {
  /** What users may rely on, in one sentence. */
  String value();

  /** A change of the code that would make the test fail. */
  String breaks();
}
