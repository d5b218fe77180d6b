import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openRegistry } from '@catalog/cli/serve/metrics.ts'

/** Alerts and dashboards as Prometheus gets them, and the metrics that they may name. */

export const FOLDER = resolve(import.meta.dirname, '../../observability')

export const RULES = readFileSync(join(FOLDER, 'alerts.yaml'), 'utf8')

export const ALERTS = RULES.split(/^ +- alert: /m)
  .slice(1)
  .map((text) => ({
    name: /^\w+/.exec(text)?.[0] as string,
    severity: /severity: (\w+)/.exec(text)?.[1] as string,
    runbook: /runbook_url: (\S+)/.exec(text)?.[1] as string,
  }))

/** A dashboard of Grafana, as far as it is read here. */
export type Panel = Readonly<{ title: string; type: string; targets?: readonly { expr: string }[] }>
export const DASHBOARD = JSON.parse(readFileSync(join(FOLDER, 'grafana/catalog.json'), 'utf8')) as {
  readonly panels: readonly Panel[]
}

/** The queries of the dashboard with their panel. */
export const QUERIES = DASHBOARD.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ title, expr })),
)

/** The names under which Prometheus stores the metrics of a process. */
export function metricNames(): Set<string> {
  const { registry } = openRegistry('test')
  // The library's types say a number, which it is not.
  const metrics = registry.getMetricsAsArray() as unknown as readonly { name: string; type: string }[]
  return new Set(
    metrics.flatMap(({ name, type }) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  )
}

/** Metrics of ours and of the process that a text names. */
export const namedMetrics = (text: string): string[] =>
  [...text.matchAll(/\b(?:catalog|process|nodejs)_[a-z0-9_]+\b/g)].map(([name]) => name)
