{{- /* How many of the replicas a number or a percentage is: root, share. Kubernetes rounds a percentage up. */ -}}
{{- define "shipshape.ofReplicas" -}}
{{- if hasSuffix "%" (toString .share) }}{{ div (trimSuffix "%" .share | int | mul .root.Values.replicaCount | add 99) 100 }}{{ else }}{{ int .share }}{{ end -}}
{{- end -}}

{{- /* Invalid values that the schema cannot detect. */ -}}
{{- define "shipshape.refusals" -}}
{{- if eq (toString .Values.enabled) "false" -}}
{{- fail "enabled=false has no effect by itself: it is for a parent chart, as the condition of this dependency" -}}
{{- end -}}
{{- if not (or .Values.webhook.enabled .Values.janitor.enabled) -}}
{{- fail "webhook.enabled and janitor.enabled are both false: nothing would run" -}}
{{- end -}}
{{- $armed := (include "shipshape.armed" . | fromYaml).armed -}}
{{- if not .Values.webhook.enabled -}}
{{- with $armed -}}
{{- fail (printf "%s=true needs the webhook: set webhook.enabled=true" (first .)) -}}
{{- end -}}
{{- else if not (include "shipshape.has" (dict "root" . "feature" "webhooks.matchConditions")) -}}
{{- fail (printf "the webhook needs Kubernetes 1.29 or later, whose webhooks have matchConditions with an authorizer; this is %s: set webhook.enabled=false to run the janitor alone" .Capabilities.KubeVersion.Version) -}}
{{- end -}}
{{- if not (include "shipshape.has" (dict "root" . "feature" "ValidatingAdmissionPolicy")) -}}
{{- $writers := ternary (list "guard.recordWriters") list (not (empty .Values.guard.recordWriters)) -}}
{{- range .Values.guard.custom }}{{ with .records }}{{ if .writers }}{{ $writers = append $writers "guard.custom: records.writers" }}{{ end }}{{ end }}{{ end -}}
{{- with $writers -}}
{{- fail (printf "%s needs Kubernetes 1.30 or later, whose ValidatingAdmissionPolicies enforce it; this is %s" (first .) $.Capabilities.KubeVersion.Version) -}}
{{- end -}}
{{- end -}}
{{- if and $armed (lt (int .Values.replicaCount) 2) -}}
{{- fail (printf "%s=true needs replicaCount=2 or more: with one, every write of a guarded resource would fail whenever its pod moves (failurePolicy Fail)" (first $armed)) -}}
{{- end -}}
{{- $getsUp := and .Values.webhook.hostNetwork (or .Values.webhook.tolerations .Values.tolerations) -}}
{{- range $guard := (include "shipshape.guards" . | fromYaml).guards -}}
{{- range .resources -}}
{{- if and $guard.armed (not .stampOnly) (not $getsUp) (not (has .group $.Values.guard.acknowledgedGroups)) (include "shipshape.comesFirst" .group) -}}
{{- fail (printf "%s=true: %s are of %s, which nodes or the pod network may need to come up: with all replicas lost, they could wait for a write that waits for them (failurePolicy Fail): set webhook.hostNetwork=true and webhook.tolerations of the taint of a node without network, or, if the webhook's pods start without such a write, name the group in guard.acknowledgedGroups" $guard.value .plural .group) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $accounts := ternary (dict "serviceAccount" .Values.serviceAccount) dict .Values.webhook.enabled -}}
{{- if include "shipshape.separate" . }}{{ $_ := set $accounts "janitor.serviceAccount" .Values.janitor.serviceAccount }}{{ end -}}
{{- range $value, $account := $accounts -}}
{{- if not (or $account.create $account.name) -}}
{{- fail (printf "%s.create=false needs %s.name: the account \"default\" would get the rights, and with it every pod of the namespace that names none" $value $value) -}}
{{- end -}}
{{- if and $.Release.IsUpgrade (not $account.create) (lookup "v1" "Namespace" "" "kube-system") (not (lookup "v1" "ServiceAccount" $.Release.Namespace $account.name)) -}}
{{- fail (printf "%s.name: there is no ServiceAccount %s in the namespace %s, and with the upgrade the running replicas would lose their rights, so that every write of a guarded resource would fail: make it first" $value $account.name $.Release.Namespace) -}}
{{- end -}}
{{- end -}}
{{- $ports := ternary (list .Values.webhook.ports.https .Values.webhook.ports.metrics) list .Values.webhook.enabled -}}
{{- if and .Values.janitor.enabled (not (include "shipshape.separate" .)) }}{{ $ports = append $ports .Values.janitor.ports.metrics }}{{ end -}}
{{- $ports = toStrings $ports -}}
{{- if ne (len $ports) (len (uniq $ports)) -}}
{{- fail (printf "ports of one pod must differ: webhook.ports.https=%v, webhook.ports.metrics=%v, janitor.ports.metrics=%v" .Values.webhook.ports.https .Values.webhook.ports.metrics .Values.janitor.ports.metrics) -}}
{{- end -}}
{{- with .Values.podDisruptionBudget -}}
{{- $stay := include "shipshape.ofReplicas" (dict "root" $ "share" .minAvailable) -}}
{{- if and .enabled $.Values.webhook.enabled (ge (int $stay) (int $.Values.replicaCount)) -}}
{{- fail (printf "podDisruptionBudget.minAvailable=%v lets none of %d replicas be evicted, so that no node could be drained: leave one" .minAvailable (int $.Values.replicaCount)) -}}
{{- end -}}
{{- $away := include "shipshape.ofReplicas" (dict "root" $ "share" .maxUnavailable) -}}
{{- if and $armed .enabled (not .minAvailable) (ge (int $away) (int $.Values.replicaCount)) -}}
{{- fail (printf "%s=true: podDisruptionBudget.maxUnavailable=%v lets all %d replicas be away at a time, so that every write of a guarded resource would fail (failurePolicy Fail): leave one" (first $armed) .maxUnavailable (int $.Values.replicaCount)) -}}
{{- end -}}
{{- end -}}
{{- if and $armed (eq "Recreate" (dig "type" "" (.Values.webhook.strategy | default dict))) -}}
{{- fail (printf "%s=true: with webhook.strategy.type=Recreate, every write of a guarded resource would fail during each upgrade (failurePolicy Fail)" (first $armed)) -}}
{{- end -}}
{{- /* Of a percentage, Kubernetes rounds down here. */ -}}
{{- $away := dig "rollingUpdate" "maxUnavailable" 0 (.Values.webhook.strategy | default dict) -}}
{{- if and $armed (or (eq "100%" (toString $away)) (and (not (kindIs "string" $away)) (ge (int $away) (int .Values.replicaCount)))) -}}
{{- fail (printf "%s=true: webhook.strategy.rollingUpdate.maxUnavailable=%v lets all %d replicas be away during each upgrade, so that every write of a guarded resource would fail (failurePolicy Fail): leave one" (first $armed) $away (int .Values.replicaCount)) -}}
{{- end -}}
{{- if and .Values.networkPolicy.enabled ((.Values.restarts.settings | default dict).maintenance | default dict).prometheus (not .Values.networkPolicy.extraEgress) -}}
{{- fail "restarts.settings.maintenance.prometheus cannot be reached by the NetworkPolicy, and no restart would ever be made: name it, and DNS, in networkPolicy.extraEgress" -}}
{{- end -}}
{{- $signatures := list -}}
{{- range .Values.signatures -}}
{{- if has .name $signatures }}{{ fail (printf "signatures: there are two signatures %s" .name) }}{{ end -}}
{{- $signatures = append $signatures .name -}}
{{- /* Helm and the janitor use the same regex syntax: an invalid expression fails here. */ -}}
{{- range concat .failure (.except | default list) (.progress | default list) }}{{ $_ := mustRegexMatch . "" }}{{ end -}}
{{- end -}}
{{- $signatures = concat $signatures (list "cfs-1.3" "cfs-1.4" "client-go" "fabric8" "kopf" "kubernetes-python") -}}
{{- $seen := list -}}
{{- range (include "shipshape.operators" . | fromYaml).operators -}}
{{- if not (has .signature $signatures) }}{{ fail (printf "operators: %s: there is no signature %s; there are: %s" .name .signature (join ", " $signatures)) }}{{ end -}}
{{- if not .namespace }}{{ fail (printf "operators: %s: namespace is required, unless it ownsSessions" .name) }}{{ end -}}
{{- $workload := printf "%s %s/%s" .kind .namespace .workload -}}
{{- if has .name $seen }}{{ fail (printf "operators: there are two operators %s" .name) }}{{ end -}}
{{- if has $workload $seen }}{{ fail (printf "operators: %s: there are two operators for %s" .name $workload) }}{{ end -}}
{{- $seen = append $seen .name -}}
{{- $seen = append $seen $workload -}}
{{- end -}}
{{- with .Values.sessions.rest }}
{{- if and .tokenSecret.name (not .insecureToken) (not (hasPrefix "https:" .address)) }}
{{- fail "sessions.rest: others on the network can read a token over http: set sessions.rest.address to an https address, or sessions.rest.insecureToken=true" -}}
{{- end }}
{{- end -}}
{{- if eq .Values.certificates.source "existing-secret" -}}
{{- if not .Values.certificates.existingSecret -}}
{{- fail "certificates.source=existing-secret needs certificates.existingSecret, the Secret's name" -}}
{{- end -}}
{{- if not (contains "-----BEGIN CERTIFICATE-----" .Values.certificates.caBundle) -}}
{{- fail "certificates.source=existing-secret needs certificates.caBundle, the authority to trust in PEM: --set-file certificates.caBundle=ca.crt" -}}
{{- end -}}
{{- else if or .Values.certificates.existingSecret .Values.certificates.caBundle -}}
{{- fail "certificates.existingSecret and certificates.caBundle need certificates.source=existing-secret" -}}
{{- end -}}
{{- with .Values.certificates.certManager -}}
{{- if and (eq $.Values.certificates.source "cert-manager") .duration .renewBefore (ge (include "shipshape.seconds" .renewBefore | int) (include "shipshape.seconds" .duration | int)) -}}
{{- fail (printf "certificates.certManager.renewBefore=%s is not less than duration=%s: cert-manager refuses that" .renewBefore .duration) -}}
{{- end -}}
{{- end -}}
{{- /* Only a port proves a registry: a mirror may have a folder ghcr.io. */ -}}
{{- if and (contains ":" .Values.image.repository) (or .Values.global.imageRegistry .Values.image.registry) -}}
{{- fail (printf "image.repository=%s names a registry already: leave image.registry and global.imageRegistry empty, or the registry out of image.repository" .Values.image.repository) -}}
{{- end -}}
{{- /* Rights and other objects depend on these fields too and would not match. */ -}}
{{- $instead := dict
  "certificates.settings.folder" "certificates.existingSecret"
  "certificates.settings.configurations" "fullnameOverride"
  "certificates.settings.secret" "fullnameOverride"
  "certificates.settings.service" "fullnameOverride"
  "certificates.settings.source" "certificates.source"
  "guard.settings.certificates" "certificates"
  "guard.settings.clientAuthority" "clientAuthority"
  "guard.settings.drain" "guard.drainSeconds"
  "guard.settings.drainConnections" "guard.drainConnectionsSeconds"
  "guard.settings.events" "guard.events"
  "guard.settings.guards" "guard.presets and guard.custom"
  "guard.settings.registration" "fullnameOverride"
  "guard.settings.listen" "no other port, the Service knows this one"
  "guard.settings.management" "no other port, probes and monitors know this one"
  "guard.settings.knownInvalid" "guard.knownInvalid"
  "guard.settings.stamp" "guard.stamp"
-}}
{{- range $path, $value := $instead -}}
{{- $found := $.Values -}}
{{- range splitList "." $path }}{{ $found = get ($found | default dict) . }}{{ end -}}
{{- if ne (toString $found) "" -}}
{{- fail (printf "%s cannot be set, since rights and other objects would not follow it: set %s" $path $value) -}}
{{- end -}}
{{- end -}}
{{- if and (eq (toString .Values.monitoring.podMonitor.enabled) "true") (eq (toString .Values.monitoring.serviceMonitor.enabled) "true") -}}
{{- fail "monitoring.podMonitor.enabled and monitoring.serviceMonitor.enabled are both true: every metric would be scraped twice" -}}
{{- end -}}
{{- if .Values.webhook.enabled -}}
{{- /* With --take-ownership, Helm would take the cluster-wide objects of a release that runs. */ -}}
{{- range (lookup "admissionregistration.k8s.io/v1" "MutatingWebhookConfiguration" "" (include "shipshape.fullname" .)).webhooks -}}
{{- $of := dig "clientConfig" "service" "namespace" $.Release.Namespace . -}}
{{- if ne $of $.Release.Namespace }}{{ fail (printf "the webhook configurations %s call the namespace %s, whose release would lose them, and its rights: upgrade or uninstall that one, or set fullnameOverride" (include "shipshape.fullname" $) $of) }}{{ end -}}
{{- end -}}
{{- /* Helm deletes the old account, or takes its rights, before new replicas are ready. */ -}}
{{- $account := dig "spec" "template" "spec" "serviceAccountName" "" (lookup "apps/v1" "Deployment" .Release.Namespace (include "shipshape.fullname" .)) -}}
{{- if and $account (ne $account (include "shipshape.webhook.serviceAccount" .)) -}}
{{- range (lookup "admissionregistration.k8s.io/v1" "ValidatingWebhookConfiguration" "" (include "shipshape.fullname" .)).webhooks -}}
{{- if eq .failurePolicy "Fail" }}{{ fail (printf "serviceAccount: the running replicas use %s and would lose its rights, so that every write of a guarded resource would fail until new ones are ready: disarm the guard first" $account) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- /* Two releases would share the janitor's Lease: only one would act. */ -}}
{{- $others := list -}}
{{- range (lookup "apps/v1" "Deployment" .Release.Namespace "").items -}}
{{- $others = append $others (get (.metadata.labels | default dict) "shipshape.dev/release") -}}
{{- end -}}
{{- /* An existing second release can still be upgraded. */ -}}
{{- if not (has .Release.Name $others) -}}
{{- range without $others "" -}}
{{- fail (printf "the release %q of shipshape is in the namespace %s already, and both would share its Leases and its memory, so that one of them would never act: upgrade that release, or take another namespace" . $.Release.Namespace) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* A duration in hours, minutes and seconds, as Go writes it, in seconds. */ -}}
{{- define "shipshape.seconds" -}}
{{- $seconds := 0 -}}
{{- range $unit, $worth := dict "h" 3600 "m" 60 "s" 1 -}}
{{- $seconds = regexFind (printf "[0-9]+%s" $unit) $ | trimSuffix $unit | int | mul $worth | add $seconds -}}
{{- end -}}
{{- $seconds -}}
{{- end -}}
