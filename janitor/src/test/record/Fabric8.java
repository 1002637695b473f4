import io.fabric8.kubernetes.client.KubernetesClientBuilder;

/** Watches ConfigMaps by an informer: java -cp fabric8's jars, with slf4j-simple, Fabric8.java. */
class Fabric8 {
  public static void main(String[] none) throws Exception {
    System.setProperty("org.slf4j.simpleLogger.showDateTime", "true");
    System.setProperty("org.slf4j.simpleLogger.dateTimeFormat", "yyyy-MM-dd HH:mm:ss,SSS");
    var informer =
        new KubernetesClientBuilder()
            .build()
            .configMaps()
            .inNamespace("default")
            .runnableInformer(0);
    informer.exceptionHandler((_, _) -> true);
    informer.start();
    Thread.currentThread().join();
  }
}
