/** Scales of charts: from values to coordinates, with round marks. */

/** Round values that cover a span, at most `count` of them and in steps of 1, 2 or 5 times a power of ten. */
export function roundMarks(low: number, high: number, count: number): number[] {
  const span = high - low
  if (!(span > 0)) return [low]
  const rough = span / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) as number) * power
  const first = Math.ceil(low / step - 1e-9)
  const last = Math.floor(high / step + 1e-9)
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step)
}

/** Starts of months, quarters or years of UTC within a span, at most `count` of them. */
export function dateMarks(fromMs: number, toMs: number, count: number): number[] {
  const months = [1, 2, 3, 6, 12, 24, 60, 120]
  const start = new Date(fromMs)
  for (const step of months) {
    const marks: number[] = []
    const firstMonth = Math.ceil((start.getUTCFullYear() * 12 + start.getUTCMonth()) / step) * step
    for (let month = firstMonth; marks.length <= count; month += step) {
      const at = Date.UTC(Math.floor(month / 12), month % 12)
      if (at > toMs) break
      if (at >= fromMs) marks.push(at)
    }
    if (marks.length <= count) return marks
  }
  return []
}

/**
 * The span of values that a chart shows: that of the lines, and of the votes near them. One spike must not flatten the
 * rest, so a value beyond {@link SPIKE} times the lines is left to a mark at the edge.
 */
export function shownSpan(lines: readonly number[], others: readonly number[]): readonly [low: number, high: number] {
  const base = lines.length > 0 ? lines : others
  if (base.length === 0) return [0, 1]
  const [low, high] = [Math.min(...base), Math.max(...base)]
  const near = others.filter((value) => value >= low / SPIKE && value <= high * SPIKE)
  const [min, max] = [Math.min(low, ...near), Math.max(high, ...near)]
  const room = (max - min) * 0.08 || max * 0.08 || 1
  return [Math.max(0, min - room), max + room]
}
const SPIKE = 1.6
