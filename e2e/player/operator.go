package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sort"
	"strings"
	"time"
)

const (
	account  = "/var/run/secrets/kubernetes.io/serviceaccount/"
	sessions = "/apis/cms.cray.com/v1/namespaces/services/cfsessions"
	jobs     = "/apis/batch/v1/namespaces/services/jobs"
	trouble  = "/api/v1/namespaces/services/configmaps/operator-trouble"
	ours     = "?labelSelector=app.kubernetes.io%2Fname%3Dcray-cfs-aee"
)

// cluster is the API server, with the address and token of a pod.
type cluster struct {
	server, token string
	http          *http.Client
}

type object struct {
	Metadata struct {
		Name   string            `json:"name"`
		Labels map[string]string `json:"labels"`
	} `json:"metadata"`
	Data map[string]string `json:"data"`
}

type list struct {
	Items []object `json:"items"`
}

func inPod() cluster {
	token, err := os.ReadFile(account + "token")
	check(err, "reading the pod's token")
	authority, err := os.ReadFile(account + "ca.crt")
	check(err, "reading the cluster's authority")
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(authority)
	address := net.JoinHostPort(os.Getenv("KUBERNETES_SERVICE_HOST"), os.Getenv("KUBERNETES_SERVICE_PORT"))
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}}
	return cluster{"https://" + address, strings.TrimSpace(string(token)), &http.Client{Transport: transport, Timeout: 10 * time.Second}}
}

func (c cluster) call(method, path string) (*http.Response, []byte) {
	request, err := http.NewRequest(method, c.server+path, nil)
	check(err, method+" "+path)
	request.Header.Set("Authorization", "Bearer "+c.token)
	answer, err := c.http.Do(request)
	if err != nil {
		return nil, nil
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(answer.Body)
	return answer, body
}

func (c cluster) read(path string, into any) bool {
	answer, body := c.call(http.MethodGet, path)
	return answer != nil && answer.StatusCode == http.StatusOK && json.Unmarshal(body, into) == nil
}

// operate does the operator's work once a second: it deletes the Jobs of deleted sessions.
// After the time in the ConfigMap operator-trouble, a process that started earlier is stuck like the
// real operator: it repeatedly requests a watch from resourceVersion None.
func operate() {
	c := inPod()
	started := time.Now()
	say("INFO", "cray.cfs.operator.base_controller", "operator started")
	for ; ; time.Sleep(time.Second) {
		if c.inTroubleSince(started) {
			c.watchFromNone()
		} else {
			c.removeLeakedJobs()
		}
	}
}

func (c cluster) inTroubleSince(started time.Time) bool {
	var found object
	if !c.read(trouble, &found) {
		return false
	}
	since, err := time.Parse(time.RFC3339, found.Data["since"])
	return err == nil && started.Before(since) && time.Now().After(since)
}

func (c cluster) removeLeakedJobs() {
	var living, running list
	// Lists Jobs before sessions: if a Job is created in between, its session exists already.
	if !c.read(jobs+ours, &running) || !c.read(sessions, &living) {
		return
	}
	names := map[string]bool{}
	for _, session := range living.Items {
		names[session.Metadata.Name] = true
	}
	for _, job := range running.Items {
		if !names[job.Metadata.Labels["cfsession"]] {
			c.call(http.MethodDelete, jobs+"/"+job.Metadata.Name+"?propagationPolicy=Background")
			say("INFO", "cray.cfs.operator.events.job_events", "Job deleted: "+job.Metadata.Name)
		}
	}
}

// watchFromNone logs the API server's response as the Python client prints it: twice.
func (c cluster) watchFromNone() {
	answer, body := c.call(http.MethodGet, jobs+"?watch=True&resourceVersion=None")
	if answer == nil {
		return
	}
	printed := fmt.Sprintf("(%d)\nReason: %s\nHTTP response headers: %s\nHTTP response body: %s\n\n",
		answer.StatusCode, http.StatusText(answer.StatusCode), headers(answer.Header), bytesLiteral(body))
	say("ERROR", "cray.cfs.operator", "Capture stream cfsv1_job_informer encountered an exception: "+printed)
	fmt.Print("Traceback (most recent call last):\n  File \"site-packages/kubernetes/client/rest.py\", line 222, in request\n" +
		"    raise ApiException(http_resp=r)\nkubernetes.client.rest.ApiException: " + printed)
}

func headers(from http.Header) string {
	var pairs []string
	for name := range from {
		pairs = append(pairs, fmt.Sprintf("'%s': '%s'", name, from.Get(name)))
	}
	sort.Strings(pairs)
	return "HTTPHeaderDict({" + strings.Join(pairs, ", ") + "})"
}

func bytesLiteral(body []byte) string {
	return "b'" + strings.NewReplacer("\\", "\\\\", "'", "\\'", "\n", "\\n").Replace(string(body)) + "'"
}

func say(level, logger, text string) {
	now := strings.Replace(time.Now().UTC().Format("2006-01-02 15:04:05.000"), ".", ",", 1)
	fmt.Printf("%s - %-7s - %s - %s\n", now, level, logger, text)
}
