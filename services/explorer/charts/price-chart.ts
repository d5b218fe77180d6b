import { DAY_MS } from '@catalog/core/time.ts'
import type { Say } from '@catalog/explorer/languages/language.ts'
import type { Formats } from '@catalog/explorer/pages/view.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { dateMarks, roundMarks, shownSpan } from './scale.ts'

/** A price that holds from an instant on; null: none from then on. */
export type Step = Readonly<{ at: string; cents: number | null }>
export type Dot = Readonly<{ at: string; cents: number; title: string; isLeftOut: boolean }>
export type Line = Readonly<{ name: string; steps: readonly Step[] }>

export type PriceChart = Readonly<{
  /** All in one unit. At most five, told apart by colour and dashes. */
  lines: readonly Line[]
  currency: string
  from: string
  to: string
  dots?: readonly Dot[]
  /** The middle half of the present votes. */
  band?: Readonly<{ p25: number; p75: number; from: string }>
  title: string
}>

/** A drawing in pixels, with the room around the plot for its own text; one is for windows, one for phones. */
type Frame = Readonly<{ name: string; width: number; height: number; left: number; dates: number }>
const FRAMES: readonly Frame[] = [
  { name: 'wide', width: 1_100, height: 360, left: 90, dates: 8 },
  { name: 'narrow', width: 340, height: 240, left: 78, dates: 2 },
]
const [RIGHT, TOP, BOTTOM] = [12, 14, 30]
const LINES = ['a', 'b', 'c', 'd', 'e']

type Scales = Readonly<{
  frame: Frame
  x: (at: number) => number
  y: (cents: number) => number
  low: number
  high: number
}>

/**
 * Step lines with gaps: a median holds until the next one, and where there is none the line stops; nothing is
 * interpolated. A mark at the edge stands for each vote beyond the shown span. The same figures follow as a table.
 */
export function priceChart(chart: PriceChart, { say, formats }: { say: Say; formats: Formats }): Markup {
  const toMs = Date.parse(chart.to)
  const fromMs = firstShownMs(chart, toMs)
  const lines = chart.lines.map(({ name, steps }) => ({ name, steps: visibleSteps(steps, fromMs) }))
  const values = lines.flatMap(({ steps }) => steps.flatMap(({ cents }) => (cents === null ? [] : [cents])))
  const dots = (chart.dots ?? []).filter(({ at }) => Date.parse(at) >= fromMs && Date.parse(at) <= toMs)
  const band = chart.band === undefined ? [] : [chart.band.p25, chart.band.p75]
  const [low, high] = shownSpan(values, [
    ...band,
    ...dots.filter(({ isLeftOut }) => !isLeftOut).map(({ cents }) => cents),
  ])
  const money = (cents: number) => formats.money({ cents, currency: chart.currency })
  const shown = { lines, dots, band: chart.band, low, high, fromMs, toMs, money, formats }
  const drawings = FRAMES.map((frame) => drawingOf(frame, shown))
  const legend = legendOf(lines, { hasDots: dots.length > 0, hasLeftOut: dots.some(({ isLeftOut }) => isLeftOut), say })
  const tables = lines.map((line) => stepTable(line, { say, formats, money }))
  return html`<figure class="chart"><div class="drawing" role="img" aria-label="${chart.title}">!${drawings.join('')}</div>
<figcaption>!${legend}</figcaption></figure>
<details><summary>${say('chartAsTable')}</summary>!${tables.join('')}</details>`
}

type Shown = Readonly<{
  lines: readonly Line[]
  dots: readonly Dot[]
  band: PriceChart['band']
  low: number
  high: number
  fromMs: number
  toMs: number
  money: (cents: number) => string
  formats: Formats
}>

function drawingOf(frame: Frame, shown: Shown): Markup {
  const { lines, dots, band, low, high, fromMs, toMs } = shown
  const { name, width, height, left } = frame
  const scales: Scales = {
    frame,
    x: (at) => left + ((Math.min(Math.max(at, fromMs), toMs) - fromMs) / (toMs - fromMs || 1)) * (width - left - RIGHT),
    y: (cents) => height - BOTTOM - ((cents - low) / (high - low)) * (height - TOP - BOTTOM),
    low,
    high,
  }
  const parts = [
    gridOf(scales, shown),
    band === undefined ? '' : bandOf(band, scales),
    ...lines.map(({ steps }, i) => pathOf(steps, { scales, toMs, name: LINES[i % LINES.length] as string })),
    ...dots.map((dot) => dotOf(dot, scales)),
  ]
  return html`<svg class="${name}" viewBox="0 0 ${width} ${height}">!${parts.join('')}</svg>`
}

/** A chart does not begin long before its first price; it covers a month at least. */
function firstShownMs({ from, lines }: PriceChart, toMs: number): number {
  const starts = lines.flatMap(({ steps }) => steps.slice(0, 1).map(({ at }) => Date.parse(at)))
  const latest = toMs - SHORTEST_DAYS * DAY_MS
  return Math.max(Date.parse(from), Math.min(latest, ...starts))
}
const SHORTEST_DAYS = 30

/** The steps of the period, beginning with the one in force at its start. */
function visibleSteps(steps: readonly Step[], fromMs: number): readonly Step[] {
  const first = steps.findLastIndex(({ at }) => Date.parse(at) <= fromMs)
  return first < 0 ? steps : steps.slice(first)
}

function gridOf({ frame, x, y, low, high }: Scales, { fromMs, toMs, money, formats }: Shown): Markup {
  const { width, height, left, dates } = frame
  const across = roundMarks(low, high, 4).map((cents) => {
    const at = y(cents).toFixed(1)
    return html`<line class="grid" x1="${left}" x2="${width - RIGHT}" y1="${at}" y2="${at}"/><text x="${left - 6}" y="${at}" text-anchor="end" dominant-baseline="middle">${money(Math.round(cents))}</text>`
  })
  // A date has some 90 pixels of width.
  const isWithin = (ms: number) => x(ms) >= left + 45 && x(ms) <= width - RIGHT - 35
  const marks = dateMarks(fromMs, toMs, dates).filter(isWithin)
  const up = (marks.length > 0 ? marks : [(fromMs + toMs) / 2]).map((ms) => {
    const at = x(ms).toFixed(1)
    return html`<line class="grid" x1="${at}" x2="${at}" y1="${height - BOTTOM}" y2="${height - BOTTOM + 5}"/><text x="${at}" y="${height - 8}" text-anchor="middle">${formats.day(new Date(ms).toISOString())}</text>`
  })
  return [...across, ...up].join('')
}

function bandOf({ p25, p75, from }: NonNullable<PriceChart['band']>, { frame, x, y }: Scales): Markup {
  const { width: whole, height } = frame
  const [left, top] = [x(Date.parse(from)), Math.max(TOP, y(p75))]
  const bottom = Math.min(height - BOTTOM, y(p25))
  const width = Math.max(whole - RIGHT - left, 6)
  return html`<rect class="band" x="${(whole - RIGHT - width).toFixed(1)}" y="${top.toFixed(1)}" width="${width.toFixed(1)}" height="${Math.max(bottom - top, 1).toFixed(1)}"/>`
}

function pathOf(
  steps: readonly Step[],
  { scales, toMs, name }: { scales: Scales; toMs: number; name: string },
): Markup {
  const { x, y } = scales
  let path = ''
  for (const [i, { at, cents }] of steps.entries()) {
    if (cents === null) continue
    const isNew = i === 0 || steps[i - 1]?.cents === null
    const end = steps[i + 1] === undefined ? toMs : Date.parse((steps[i + 1] as Step).at)
    path += `${isNew ? 'M' : 'L'}${x(Date.parse(at)).toFixed(1)} ${y(cents).toFixed(1)}H${x(end).toFixed(1)}`
  }
  return path === '' ? '' : html`<path class="median ${name}" d="${path}"/>`
}

/** A circle, or a triangle at the edge for a price beyond the shown span. */
function dotOf({ at, cents, title, isLeftOut }: Dot, { frame, x, y, low, high }: Scales): Markup {
  const kind = isLeftOut ? 'excluded' : 'vote'
  const cx = x(Date.parse(at))
  if (cents >= low && cents <= high)
    return html`<circle class="${kind}" cx="${cx.toFixed(1)}" cy="${y(cents).toFixed(1)}" r="4"><title>${title}</title></circle>`
  const [tip, base] = cents > high ? [TOP, TOP + 8] : [frame.height - BOTTOM, frame.height - BOTTOM - 8]
  return html`<path class="${kind}" d="M${(cx - 5).toFixed(1)} ${base}h10L${cx.toFixed(1)} ${tip}Z"><title>${title}</title></path>`
}

function legendOf(
  lines: readonly Line[],
  { hasDots, hasLeftOut, say }: { hasDots: boolean; hasLeftOut: boolean; say: Say },
): Markup {
  const sample = (mark: string) => `<svg width="26" height="12" viewBox="0 0 26 12" aria-hidden="true">${mark}</svg>`
  const entries = [
    ...lines.map(
      ({ name }, i) =>
        html`<li>!${sample(`<path class="median ${LINES[i % LINES.length]}" d="M0 6H26"/>`)} ${name}</li>`,
    ),
    ...(hasDots ? [html`<li>!${sample('<circle class="vote" cx="13" cy="6" r="4"/>')} ${say('chartVote')}</li>`] : []),
    ...(hasLeftOut
      ? [html`<li>!${sample('<circle class="excluded" cx="13" cy="6" r="4"/>')} ${say('chartLeftOut')}</li>`]
      : []),
  ]
  return html`<ul class="legend">!${entries.join('')}</ul>`
}

function stepTable(
  { name, steps }: Line,
  { say, formats, money }: { say: Say; formats: Formats; money: (cents: number) => string },
): Markup {
  const rows = steps.map(
    ({ at, cents }) =>
      html`<tr><th scope="row"><time datetime="${at}">${formats.day(at)}</time></th><td class="number">${cents === null ? '—' : money(cents)}</td></tr>`,
  )
  return html`<table><caption>${name}</caption><thead><tr><th scope="col">${say('from')}</th><th scope="col" class="number">${say('chartMedian')}</th></tr></thead><tbody>!${rows.join('')}</tbody></table>`
}
