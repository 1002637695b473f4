package dev.shipshape.packaging;

import java.io.ByteArrayInputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ConstantPoolSharingOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.util.Map;

/**
 * Class files of Java 6 and before, as Java 8 would have written them: the AOT cache leaves out
 * what has no stack maps.
 */
final class UpToDate {
  private UpToDate() {}

  /**
   * The class file, brought up to date where it is too old.
   *
   * @param content all class files, for the types that stack maps name
   */
  static byte[] bytes(byte[] file, Map<String, byte[]> content) {
    var old = ClassFile.of().parse(file);
    if (old.majorVersion() >= ClassFile.JAVA_7_VERSION) {
      return file;
    }
    return ClassFile.of(
            StackMapsOption.GENERATE_STACK_MAPS,
            // Else unchanged methods are copied as they are, without stack maps.
            ConstantPoolSharingOption.NEW_POOL,
            ClassFile.ClassHierarchyResolverOption.of(hierarchy(content)))
        .transformClass(
            old,
            (builder, element) ->
                builder.with(
                    element instanceof ClassFileVersion
                        ? ClassFileVersion.of(ClassFile.JAVA_8_VERSION, 0)
                        : element));
  }

  private static ClassHierarchyResolver hierarchy(Map<String, byte[]> content) {
    return ClassHierarchyResolver.ofResourceParsing(
            type -> {
              var bytes = content.get(type.descriptorString().replaceAll("^L|;$", "") + ".class");
              return bytes == null ? null : new ByteArrayInputStream(bytes);
            })
        .orElse(ClassHierarchyResolver.defaultResolver())
        .cached();
  }
}
