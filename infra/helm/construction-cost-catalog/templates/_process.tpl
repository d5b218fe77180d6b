{{/*
The Deployment of a process that stays: { root, process, args, values, and where they differ: replicas, env, mounts, volumes,
data, ready, strategy, grace, preStop, ports }.
*/}}
{{- define "catalog.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "catalog.name" .root }}-{{ .process }}
  labels:
    {{- include "catalog.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .process }}
spec:
  {{- if .root.Values.paused }}
  replicas: 0
  {{- else if not .scaled }}
  replicas: {{ .values.replicas | default 1 }}
  {{- end }}
  revisionHistoryLimit: 3
  strategy:
    {{- toYaml (.strategy | default (dict "type" "Recreate")) | nindent 4 }}
  selector:
    matchLabels:
      {{- include "catalog.selector" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .process }}
  template:
    metadata:
      labels:
        {{- include "catalog.selector" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .process }}
      {{- $annotations := dict }}
      {{- if .root.Values.metrics.scrapeAnnotations }}
      {{- $annotations = dict "prometheus.io/scrape" "true" "prometheus.io/path" "/metrics" "prometheus.io/port" (toString .root.Values.metrics.port) }}
      {{- end }}
      {{- with merge (dict) .root.Values.podAnnotations $annotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      {{- include "catalog.pod" .root | nindent 6 }}
      # A process drains for at most 25 s.
      terminationGracePeriodSeconds: {{ .grace | default 30 }}
      containers:
        - name: {{ .process }}
          {{- include "catalog.container" . | nindent 10 }}
          ports:
            {{- with .ports }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
            - name: metrics
              containerPort: {{ .root.Values.metrics.port }}
          # The first process of a new version migrates the tables before it answers.
          startupProbe:
            httpGet: { path: /healthz, port: metrics }
            periodSeconds: 5
            failureThreshold: 120
          livenessProbe:
            httpGet: { path: /healthz, port: metrics }
            periodSeconds: 30
            timeoutSeconds: 5
            failureThreshold: 3
          readinessProbe:
            httpGet: { path: /readyz, port: {{ .ready | default "metrics" }} }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 3
          {{- with .preStop }}
          lifecycle:
            preStop:
              {{- toYaml . | nindent 14 }}
          {{- end }}
      volumes:
        {{- include "catalog.volumes" . | nindent 8 }}
{{- end -}}

{{/* What every pod has. No process asks the API of Kubernetes. */}}
{{- define "catalog.pod" -}}
serviceAccountName: {{ include "catalog.name" . }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  {{- toYaml .Values.podSecurityContext | nindent 2 }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* What every container has. */}}
{{- define "catalog.container" -}}
{{- $image := .image | default dict -}}
{{- $own := .root.Values.image -}}
image: {{ $image.repository | default $own.repository }}:{{ $image.tag | default $own.tag | default .root.Chart.AppVersion }}
imagePullPolicy: {{ $own.pullPolicy }}
args:
  {{- toYaml .args | nindent 2 }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
env:
  # A folder that the process makes: it refuses one of another user, as the volume's own is.
  - name: CATALOG_DATA
    value: /data/catalog
  - name: METRICS_PORT
    value: {{ .root.Values.metrics.port | quote }}
  - name: METRICS_HOST
    value: 0.0.0.0
  {{- range $name, $value := .env }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
  {{- range $name, $value := .root.Values.env }}
  - name: {{ $name }}
    # A large number keeps its digits in JSON alone.
    value: {{ ternary $value (toJson $value) (kindIs "string" $value) | quote }}
  {{- end }}
  {{- range $name, $key := .root.Values.existingSecret.keys }}
  - name: {{ $name }}
    valueFrom:
      secretKeyRef:
        name: {{ $.root.Values.existingSecret.name }}
        key: {{ $key }}
  {{- end }}
resources:
  {{- toYaml .values.resources | nindent 2 }}
volumeMounts:
  - name: tmp
    mountPath: /tmp
  - name: data
    mountPath: /data
  {{- with .mounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{- define "catalog.volumes" -}}
- name: tmp
  emptyDir: {}
- name: data
  {{- toYaml (.data | default (dict "emptyDir" dict)) | nindent 2 }}
{{- with .volumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}
