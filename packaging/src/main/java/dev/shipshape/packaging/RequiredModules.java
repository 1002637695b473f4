package dev.shipshape.packaging;

import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.constant.ClassDesc;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Which of the JDK's modules the application's classes name. */
final class RequiredModules {
  private static final Map<String, String> MODULE_OF_PACKAGE = new HashMap<>();

  static {
    for (var module : ModuleLayer.boot().modules()) {
      module.getPackages().forEach(name -> MODULE_OF_PACKAGE.put(name, module.getName()));
    }
  }

  private final Set<String> names = new TreeSet<>(Set.of("java.base"));

  void usedBy(ClassModel model) {
    for (var entry : model.constantPool()) {
      if (entry instanceof ClassEntry type) {
        var module = MODULE_OF_PACKAGE.get(innermost(type.asSymbol()).packageName());
        if (module != null && isOfJdk(module)) {
          names.add(module);
        }
      }
    }
  }

  Set<String> names() {
    return names;
  }

  private static boolean isOfJdk(String module) {
    return module.startsWith("java.") || module.startsWith("jdk.");
  }

  private static ClassDesc innermost(ClassDesc type) {
    var component = type.componentType();
    return component == null ? type : innermost(component);
  }
}
