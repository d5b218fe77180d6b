import { percentText } from '@catalog/operations/price-change.ts'
import { html } from '@catalog/pages/markup.ts'
import type { PriceChange } from './answer.ts'
import type { Distribution } from './report.ts'
import { binText } from './words.ts'

/** Plots as SVG: horizontal bars, one a line, for a page without scripts. The page's style sets their colours. */

const WIDTH = 720
const LINE_HEIGHT = 20
const BAR_HEIGHT = 13
/** Labels end, and bars begin, here. */
const LABEL_WIDTH = 260
/** Room for the number after a bar. */
const NUMBER_WIDTH = 80
const BARS_WIDTH = WIDTH - LABEL_WIDTH - NUMBER_WIDTH
const LABEL_CHARS = 36

/** How many prices change by how much; empty bins stay, so that gaps are visible. */
export function histogramPlot(histogram: Distribution['histogram']): string {
  const most = Math.max(1, ...histogram.map(({ items }) => items))
  const bars = histogram.map(({ from, to, items }, line): Bar => {
    const direction = to !== null && to <= 0 ? 'fall' : 'rise'
    return { line, label: binText({ from, to }), start: 0, length: items / most, direction, number: String(items) }
  })
  return plot('How many prices change by how much', bars)
}

/**
 * The largest changes from the middle to either side; a doubling is as long as a halving. A price from or to 0 has the
 * longest bar.
 */
export function priceChangesPlot(priceChanges: readonly PriceChange[]): string {
  const doublings = priceChanges.map(({ before, after }) => Math.log2((after?.cents ?? 0) / (before?.cents ?? 0)))
  const longest = Math.max(Number.MIN_VALUE, ...doublings.filter(Number.isFinite).map(Math.abs))
  const bars = priceChanges.map(({ name, relative, before, after }, line): Bar => {
    const length = Math.min(1, Math.abs(doublings[line] as number) / longest) / 2
    const direction = (after?.cents ?? 0) < (before?.cents ?? 0) ? 'fall' : 'rise'
    const start = direction === 'fall' ? 0.5 - length : 0.5
    return { line, label: name, start, length, direction, number: percentText(relative) || 'from 0' }
  })
  return plot('The largest changes, a doubling as long as a halving', bars, 0.5)
}

/** Start and length are fractions of the bars' width. */
type Bar = Readonly<{
  line: number
  label: string
  start: number
  length: number
  direction: 'rise' | 'fall'
  number: string
}>

function plot(title: string, bars: readonly Bar[], axis = 0): string {
  const height = bars.length * LINE_HEIGHT + 4
  const lines = bars.map(({ line, label, start, length, direction, number }) => {
    const y = line * LINE_HEIGHT
    const x = LABEL_WIDTH + start * BARS_WIDTH
    return html`<g><title>${label}: ${number}</title>
<text x="${LABEL_WIDTH - 8}" y="${y + 14}" text-anchor="end">${cut(label)}</text>
<rect class="${direction}" x="${x.toFixed(1)}" y="${y + 4}" width="${(length * BARS_WIDTH).toFixed(1)}" height="${BAR_HEIGHT}"/>
<text x="${WIDTH - NUMBER_WIDTH + 8}" y="${y + 14}">${number}</text></g>`
  })
  const axisX = (LABEL_WIDTH + axis * BARS_WIDTH).toFixed(1)
  return html`<div class="wide"><svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}"><title>${title}</title>
<line class="axis" x1="${axisX}" y1="0" x2="${axisX}" y2="${height}"/>
!${lines}
</svg></div>`
}

const cut = (label: string) => (label.length > LABEL_CHARS ? `${label.slice(0, LABEL_CHARS - 1)}…` : label)
