// Watches ConfigMaps by an informer, as every controller in Go does; "quiet" logs nothing of its own.
package main

import (
	"os"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
)

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		panic(err)
	}
	factory := informers.NewSharedInformerFactoryWithOptions(kubernetes.NewForConfigOrDie(config), 10*time.Hour, informers.WithNamespace("default"))
	informer := factory.Core().V1().ConfigMaps().Informer()
	informer.AddEventHandler(cache.ResourceEventHandlerFuncs{UpdateFunc: func(_, now any) {
		if len(os.Args) < 2 {
			klog.InfoS("Successfully synced", "configmap", klog.KObj(now.(*v1.ConfigMap)))
		}
	}})
	factory.Start(nil)
	select {}
}
