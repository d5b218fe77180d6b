import { expect, test } from 'vitest'
import { DASHBOARD, metricNames, namedMetrics, QUERIES } from './queries.ts'

/** Grafana replaces it. */
const DATASOURCE = '$'.concat('{datasource}')

test('the dashboard names metrics that processes have, and takes its data source from a variable', () => {
  const known = metricNames()
  expect(QUERIES.length).toBeGreaterThan(20)
  for (const { title, expr } of QUERIES) {
    const named = namedMetrics(expr)
    expect(named.length, title).toBeGreaterThan(0)
    expect(named.filter((name) => !known.has(name))).toEqual([])
  }
  expect(DASHBOARD).toMatchObject({
    templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }] },
  })
  for (const { type, title, ...panel } of DASHBOARD.panels) {
    if (type !== 'row') expect(panel, title).toMatchObject({ datasource: { type: 'prometheus', uid: DATASOURCE } })
  }
})

test('the panels of the dashboard lie beside each other', () => {
  const places = DASHBOARD.panels.map((panel) => (panel as unknown as { gridPos: Place }).gridPos)
  expect(places.filter(({ x, w }) => x + w > 24)).toEqual([])
  const overlapping = places.filter((one, i) => places.some((other, j) => i < j && overlap(one, other)))
  expect(overlapping).toEqual([])
})

type Place = Readonly<{ x: number; y: number; w: number; h: number }>
const overlap = (a: Place, b: Place) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
