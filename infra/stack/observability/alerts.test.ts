import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ALERTS, FOLDER, metricNames, namedMetrics, RULES } from './queries.ts'

const ROOT = resolve(FOLDER, '../..')

/** `CatalogLogLost` → `docs/runbooks/log-lost.md`. */
const pageOf = (alert: string) =>
  `docs/runbooks/${alert
    .replace(/^Catalog/, '')
    .replace(/(?<=.)[A-Z]/g, '-$&')
    .toLowerCase()}.md`

describe('alerts', () => {
  test('name metrics that processes have', () => {
    const known = metricNames()
    const named = namedMetrics(RULES)
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })

  test('have a page each that says what to do, and every page has an alert', () => {
    expect(ALERTS.map(({ runbook }) => runbook)).toEqual(ALERTS.map(({ name }) => pageOf(name)))
    const pages = readdirSync(join(ROOT, 'docs/runbooks')).map((page) => `docs/runbooks/${page}`)
    expect(pages.sort()).toEqual(ALERTS.map(({ name }) => pageOf(name)).sort())
    const parts = /^# (\w+)\n\n\*\*Means\.\*\* [\s\S]+\n\*\*Readers notice\.\*\* [\s\S]+\n## Look at\n[\s\S]+\n## Do\n/
    for (const { name, runbook } of ALERTS) {
      const text = readFileSync(join(ROOT, runbook), 'utf8')
      expect(parts.exec(text)?.[1]).toBe(name)
      const links = [...text.matchAll(/\]\(([^)#]+)/g)].map(([, link]) => link as string)
      expect(links.filter((link) => !existsSync(join(ROOT, 'docs/runbooks', link)))).toEqual([])
    }
  })

  test('stand in the table of docs/operations.md, under their severity', () => {
    const table = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8')
    const listed = [...table.matchAll(/^\| (critical|warning|info): .*$/gm)].flatMap(([line, severity]) =>
      [...line.matchAll(/\[(Catalog\w+)\]/g)].map(([, name]) => `${severity} ${name}`),
    )
    expect(listed.sort()).toEqual(ALERTS.map(({ name, severity }) => `${severity} ${name}`).sort())
  })

  test('each has a test in which it is silent, and one in which it fires', () => {
    const tests = readFileSync(join(FOLDER, 'alerts.test.yaml'), 'utf8')
    const names = (pattern: RegExp) => new Set([...tests.matchAll(pattern)].map(([, name]) => name))
    const all = new Set(ALERTS.map(({ name }) => name))
    expect(names(/alertname: (\w+), eval_time: \w+, exp_alerts: \[\]/g)).toEqual(all)
    expect(names(/alertname: (\w+)\n +eval_time: \w+\n +exp_alerts:\n/g)).toEqual(all)
  })
})
