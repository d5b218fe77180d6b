import { html, type Markup } from '@catalog/pages/markup.ts'

/** An area of the map; a group has the areas within it. */
export type Area = Readonly<{ name: string; href: string; items: number; change: Change; within?: readonly Area[] }>
/** A move of prices as a share with its words; undefined and empty where too few items can be compared. */
export type Change = Readonly<{ share: number | undefined; words: string }>

export type Rectangle = Readonly<{ x: number; y: number; width: number; height: number }>

/**
 * Rectangles of areas in proportion to the sizes, which descend and are above 0, as near to squares as rows allow.
 * Source: Bruls, Huizing and van Wijk, "Squarified Treemaps" (2000).
 */
export function squarified(sizes: readonly number[], within: Rectangle): Rectangle[] {
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const scale = (within.width * within.height) / total
  const placed: Rectangle[] = []
  let rest = within
  let row: number[] = []
  const place = () => {
    const [taken, left] = placeRow(row, rest)
    placed.push(...taken)
    rest = left
  }
  for (const area of sizes.map((size) => size * scale)) {
    const side = Math.min(rest.width, rest.height)
    if (row.length > 0 && worstRatio([...row, area], side) > worstRatio(row, side)) {
      place()
      row = []
    }
    row.push(area)
  }
  if (row.length > 0) place()
  return placed
}

/** The worst relation of a long side to a short one, in a row of these areas along a side. */
function worstRatio(row: readonly number[], side: number): number {
  const depth = row.reduce((sum, area) => sum + area, 0) / side
  return Math.max(...row.map((area) => Math.max(area / depth / depth, (depth * depth) / area)))
}

/** Lays a row along the shorter side; returns its rectangles, and what is left beside it. */
function placeRow(row: readonly number[], rest: Rectangle): readonly [Rectangle[], Rectangle] {
  const { x, y, width, height } = rest
  const isUpright = width >= height
  const depth = row.reduce((sum, area) => sum + area, 0) / (isUpright ? height : width)
  let along = isUpright ? y : x
  const taken = row.map((area) => {
    const length = area / depth
    const rectangle = isUpright
      ? { x, y: along, width: depth, height: length }
      : { x: along, y, width: length, height: depth }
    along += length
    return rectangle
  })
  const left = isUpright
    ? { x: x + depth, y, width: Math.max(0, width - depth), height }
    : { x, y: y + depth, width, height: Math.max(0, height - depth) }
  return [taken, left]
}

/** Pixels of the map's own text. */
const HEAD = 20
const LINE = 16
const CHAR = 6.6

/**
 * Areas as large as their number of items, in the colour of their change. It repeats in colours what the page lists, and
 * so is hidden from readers of the words alone. One drawing is for windows, the other for phones.
 */
export function treemapOf(areas: readonly Area[]): Markup {
  const shapes = [
    ['wide', { x: 0, y: 0, width: 1100, height: 480 }],
    ['narrow', { x: 0, y: 0, width: 340, height: 620 }],
  ] as const
  const drawings = shapes.map(
    ([name, { width, height, ...at }]) =>
      html`<svg class="${name}" viewBox="0 0 ${width} ${height}">!${areasIn(areas, { ...at, width, height })}</svg>`,
  )
  return html`<div class="treemap" aria-hidden="true">!${drawings.join('')}</div>`
}

function areasIn(areas: readonly Area[], within: Rectangle): Markup {
  const shown = areas.filter(({ items }) => items > 0).toSorted((a, b) => b.items - a.items)
  const places = squarified(
    shown.map(({ items }) => items),
    within,
  )
  return shown.map((area, i) => areaOf(area, places[i] as Rectangle)).join('')
}

function areaOf({ name, href, items, change, within = [] }: Area, place: Rectangle): Markup {
  const { x, y, width, height } = place
  const box = html`x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${width.toFixed(1)}" height="${height.toFixed(1)}"`
  const hasHead = within.length > 0 && width > 60 && height > 3 * HEAD
  const inner = hasHead ? { x: 2, y: HEAD, width: width - 4, height: height - HEAD - 2 } : { x: 0, y: 0, width, height }
  const words =
    within.length > 0 ? (hasHead ? textOf(`${name} ${change.words}`.trimEnd(), 4, 14, width) : '') : labelOf()
  function labelOf(): Markup {
    const lines =
      height >= 2 * LINE + 4 ? [name, change.words] : height >= LINE + 2 ? [`${name} ${change.words}`.trimEnd()] : []
    return lines.map((line, i) => textOf(line, 5, LINE * (i + 1), width)).join('')
  }
  const title = html`<title>${name}: ${[items, change.words].filter(Boolean).join(', ')}</title>`
  const link = html`<a href="${href}" tabindex="-1">!${title}<rect class="${colourOf(change)}" width="100%" height="100%"/>!${words}</a>`
  // A drawing within a drawing cuts its text at its edge.
  return html`<svg !${box}>!${link}!${within.length === 0 ? '' : areasIn(within, inner)}</svg>`
}

function textOf(words: string, x: number, y: number, width: number): Markup {
  const room = Math.floor((width - 2 * x) / CHAR)
  if (room < 4) return ''
  const shown = words.length <= room ? words : `${words.slice(0, room - 1).trimEnd()}…`
  return html`<text x="${x}" y="${y}">${shown}</text>`
}

/** Half a percent is noise; beyond five percent a move is large. */
const [NOISE, LARGE] = [0.005, 0.05]

function colourOf({ share }: Change): string {
  if (share === undefined) return 'unknown'
  if (Math.abs(share) < NOISE) return 'level'
  return `${share > 0 ? 'rise' : 'fall'}${Math.abs(share) >= LARGE ? ' large' : ''}`
}

/** The colours with the moves that they stand for. */
export function treemapLegend({ percent, tooFew }: { percent: (share: number) => string; tooFew: string }): Markup {
  const colours = [
    [-LARGE, `≤ ${percent(-LARGE)}`],
    [-NOISE, `≤ ${percent(-NOISE)}`],
    [0, `${percent(-NOISE)} – ${percent(NOISE)}`],
    [NOISE, `≥ ${percent(NOISE)}`],
    [LARGE, `≥ ${percent(LARGE)}`],
    [undefined, tooFew],
  ] as const
  const entries = colours.map(
    ([share, words]) =>
      html`<li><svg class="treemap" width="18" height="18" aria-hidden="true"><rect class="${colourOf({ share, words })}" width="18" height="18"/></svg> ${words}</li>`,
  )
  return html`<ul class="legend">!${entries.join('')}</ul>`
}
