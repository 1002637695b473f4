package dev.shipshape.packaging;

import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.ModuleAttribute;
import java.lang.classfile.attribute.ModuleMainClassAttribute;
import java.lang.classfile.attribute.ModulePackagesAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ModuleDesc;
import java.lang.constant.PackageDesc;
import java.lang.reflect.AccessFlag;
import java.util.List;
import java.util.Set;

/** The class file of a module declaration. */
final class ModuleDeclaration {
  private ModuleDeclaration() {}

  static byte[] bytes(
      String name,
      String version,
      String mainClass,
      Set<String> requires,
      Set<String> packages,
      Services.Declared services) {
    var module =
        ModuleAttribute.of(
            ModuleDesc.of(name),
            declaration -> {
              declaration.moduleFlags(AccessFlag.OPEN);
              declaration.moduleVersion(version);
              for (var each : requires) {
                declaration.requires(
                    ModuleDesc.of(each),
                    each.equals("java.base") ? List.of(AccessFlag.MANDATED) : List.of(),
                    null);
              }
              services.uses().forEach(each -> declaration.uses(ClassDesc.of(each)));
              services
                  .provides()
                  .forEach(
                      (service, providers) ->
                          declaration.provides(
                              ClassDesc.of(service),
                              providers.stream().map(ClassDesc::of).toArray(ClassDesc[]::new)));
            });
    return ClassFile.of()
        .buildModule(
            module,
            builder ->
                builder
                    .with(
                        ModulePackagesAttribute.ofNames(
                            packages.stream().map(PackageDesc::of).toList()))
                    .with(ModuleMainClassAttribute.of(ClassDesc.of(mainClass))));
  }
}
