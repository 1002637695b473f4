package dev.shipshape.packaging;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.attribute.ModuleAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.ConstantInstruction.LoadConstantInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The services that the jars provide and look up, by class path rules or as modules. */
final class Services {
  /**
   * Kubernetes' two thousand kinds, all of which the client's library would load to read a
   * kubeconfig, in case an extension in it is one.
   */
  private static final Set<String> UNWANTED =
      Set.of("io.fabric8.kubernetes.api.model.KubernetesResource");

  private final Map<String, Set<String>> providers = new TreeMap<>();
  private final Set<String> used = new TreeSet<>();

  /** What a module declaration is to say; only services whose interface is there. */
  record Declared(Map<String, Set<String>> provides, Set<String> uses) {}

  void provided(String service, byte[] file) {
    new String(file, StandardCharsets.UTF_8)
        .lines()
        .map(line -> line.replaceFirst("#.*", "").strip())
        .filter(line -> !line.isEmpty())
        .forEach(line -> provider(service, line));
  }

  void declaredBy(ClassModel moduleInfo) {
    var module = moduleInfo.findAttribute(Attributes.module());
    module.stream().map(ModuleAttribute::uses).forEach(each -> each.forEach(this::use));
    module.stream()
        .flatMap(each -> each.provides().stream())
        .forEach(
            each -> each.providesWith().forEach(one -> provider(name(each.provides()), name(one))));
  }

  /**
   * Every class constant of a method that calls {@code ServiceLoader.load}: one too many is
   * harmless.
   */
  void loadedBy(ClassModel model) {
    model.methods().stream()
        .flatMap(method -> method.code().stream())
        .map(code -> code.elementList())
        .filter(code -> code.stream().anyMatch(Services::loadsServices))
        .flatMap(List::stream)
        .forEach(
            element -> {
              if (element instanceof LoadConstantInstruction constant
                  && constant.constantEntry() instanceof ClassEntry type) {
                use(type);
              }
            });
  }

  private static boolean loadsServices(CodeElement element) {
    return element instanceof InvokeInstruction call
        && call.owner().asInternalName().equals("java/util/ServiceLoader")
        && call.name().equalsString("load");
  }

  Declared within(Set<String> content) {
    var provides = new TreeMap<>(providers);
    provides.keySet().removeIf(service -> !isThere(service, content));
    provides.keySet().removeAll(UNWANTED);
    provides.values().forEach(each -> each.removeIf(one -> !isThere(one, content)));
    provides.values().removeIf(Set::isEmpty);
    var uses = new TreeSet<>(used);
    uses.addAll(provides.keySet());
    uses.removeIf(service -> !isThere(service, content));
    return new Declared(provides, uses);
  }

  private static boolean isThere(String type, Set<String> content) {
    return content.contains(type.replace('.', '/') + ".class")
        || ClassLoader.getPlatformClassLoader().getResource(type.replace('.', '/') + ".class")
            != null;
  }

  private void use(ClassEntry service) {
    used.add(name(service));
  }

  private void provider(String service, String implementation) {
    providers.computeIfAbsent(service, each -> new TreeSet<>()).add(implementation);
  }

  private static String name(ClassEntry type) {
    return type.asInternalName().replace('/', '.');
  }
}
