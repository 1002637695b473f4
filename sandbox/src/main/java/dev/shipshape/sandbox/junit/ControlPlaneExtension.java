package dev.shipshape.sandbox.junit;

import dev.shipshape.sandbox.ControlPlane;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Injects into tests a {@link ControlPlane}, shared by all tests of a run, and {@link UniqueNames},
 * so that they do not use the same objects.
 *
 * <pre>{@code
 * @ExtendWith(ControlPlaneExtension.class)
 * class MyTest {
 *   @Test
 *   void something(ControlPlane cluster, UniqueNames names) { … }
 * }
 * }</pre>
 *
 * <p>It starts with the first test that uses it, and stops at the end of the run. A test that
 * registers a webhook for all objects should start its own control plane.
 */
public final class ControlPlaneExtension implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(ControlPlaneExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    var type = parameter.getParameter().getType();
    return type == ControlPlane.class || type == UniqueNames.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    var controlPlane = shared(context);
    return parameter.getParameter().getType() == ControlPlane.class
        ? controlPlane
        : new UniqueNames(controlPlane);
  }

  /** JUnit closes an AutoCloseable in the root's store at the end of the run. */
  private static ControlPlane shared(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .computeIfAbsent(ControlPlane.class, _ -> ControlPlane.start(), ControlPlane.class);
  }
}
