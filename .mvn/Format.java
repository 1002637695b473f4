import com.google.googlejavaformat.java.Main;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs google-java-format over the Java files of all Maven modules, but for what builds make.
 *
 * <p>Maven starts it on the build's JDK 25 ({@code java .mvn/Format.java}), because the formatter
 * does not run on 17, which may be what Maven itself runs on. Arguments: {@code check} (fail and
 * name each file that is not formatted) or {@code write}, then folders; missing ones are skipped.
 */
class Format {
  public static void main(String[] arguments) throws Exception {
    var files = new ArrayList<String>();
    for (var folder : List.of(arguments).subList(1, arguments.length)) {
      try (Stream<Path> paths =
          Files.isDirectory(Path.of(folder)) ? Files.walk(Path.of(folder)) : Stream.of()) {
        paths
            .map(Path::toString)
            .filter(path -> path.endsWith(".java") && !path.contains("/target/"))
            .forEach(files::add);
      }
    }
    if (files.isEmpty()) {
      return;
    }
    var check = arguments[0].equals("check");
    var options = new ArrayList<String>();
    options.addAll(check ? List.of("--dry-run", "--set-exit-if-changed") : List.of("--replace"));
    options.addAll(files);
    var formatter =
        new Main(new PrintWriter(System.out, true), new PrintWriter(System.err, true), System.in);
    var exit = formatter.format(options.toArray(String[]::new));
    if (check && exit != 0) {
      System.err.println(
          "Not formatted: the files above. Run: mvn -N -Dformat=write process-sources");
    }
    System.exit(exit);
  }
}
