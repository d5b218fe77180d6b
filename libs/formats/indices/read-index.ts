import { frequencyOf } from '@catalog/core/events/indices.ts'
import { readNumber } from '@catalog/core/money/rational.ts'
import type { ByteSource } from '@catalog/formats/bytes/record.ts'
import type { IndexMapping, IndexSeries } from './index-mapping.ts'
import { periodIn } from './index-period.ts'
import { BadIndexFile, type IndexRow, indexRows } from './index-rows.ts'

/** A point as its file has it. */
export type ReadPoint = Readonly<{ series: IndexSeries; period: string; value: string }>

/** What became of the cells of a file: read = points + other_series + other_frequency + without_value + repeated. */
export type ReadIndex = Readonly<{
  points: readonly ReadPoint[]
  read: number
  /** Of series that the mapping does not take. */
  other_series: number
  /** Averages beside a series, such as the year among its months. */
  other_frequency: number
  without_value: number
  /** The same value once more. */
  repeated: number
}>

/** Points of one file. */
const POINTS_MAX = 100_000
/** Problems that one error lists. */
const PROBLEMS_SHOWN_MAX = 10
const SHOWN_CHARS = 60

/**
 * Reads the points of the series that the list takes. Law: a row of theirs is a point, or counted with the reason why it is none; a
 * row that cannot be read, and a second value for a period, refuse the whole file, because a hole in a series is a wrong factor.
 * Throws BadIndexFile with a line for each problem.
 */
export async function readIndex(
  source: ByteSource,
  { mapping, series }: { mapping: IndexMapping; series: readonly IndexSeries[] },
): Promise<ReadIndex> {
  const counts = { read: 0, other_series: 0, other_frequency: 0, without_value: 0, repeated: 0 }
  const points = new Map<string, ReadPoint>()
  const problems: string[] = []
  let skip = mapping.skip_rows
  for await (const row of indexRows(source, mapping)) {
    if (skip-- > 0) continue
    const taken = seriesOf(row, { mapping, series })
    if (taken.length === 0) {
      counts.read++
      counts.other_series++
    }
    for (const one of taken) {
      counts.read++
      const cell = cellOf(row, one, mapping)
      if (typeof cell === 'string') problems.push(`${row.position}: ${cell}`)
      else if ('left' in cell) counts[cell.left]++
      else {
        const key = `${one.code} ${cell.period}`
        const known = points.get(key)
        if (known === undefined) points.set(key, { series: one, ...cell })
        else if (known.value === cell.value) counts.repeated++
        else
          problems.push(
            `${row.position}: '${cell.value}': expected one value for ${one.code} in ${cell.period}, found ${known.value} before`,
          )
      }
      if (points.size > POINTS_MAX) throw new BadIndexFile(`${source.name}: expected at most ${POINTS_MAX} points`)
    }
  }
  if (problems.length > 0) {
    const more = problems.length - PROBLEMS_SHOWN_MAX
    const shown = problems.slice(0, PROBLEMS_SHOWN_MAX)
    throw new BadIndexFile([...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'))
  }
  if (points.size === 0) {
    const keys = series.slice(0, PROBLEMS_SHOWN_MAX).map(({ code, key = code }) => key)
    throw new BadIndexFile(
      `${source.name}: expected points of ${keys.join(', ')}, found ${counts.other_series} rows of others`,
    )
  }
  return { points: [...points.values()], ...counts }
}

/** The series that a row has a value of: that of its key, or each of a file with a column for each. */
function seriesOf(
  { fields }: IndexRow,
  { mapping, series }: { mapping: IndexMapping; series: readonly IndexSeries[] },
): readonly IndexSeries[] {
  if (mapping.series === undefined) return series
  const key = joined(fields, mapping.series)
  return series.filter((one) => (one.key ?? one.code) === key)
}

/** The point of a row, the reason why it is none, or a sentence on what is wrong with it. */
function cellOf(
  { fields }: IndexRow,
  { value: own, frequency }: IndexSeries,
  { period: columns, value: shared, decimal, without_value: blanks }: IndexMapping,
): string | { left: 'other_frequency' | 'without_value' } | { period: string; value: string } {
  const written = joined(fields, columns)
  const period = periodIn(written)
  if (period === undefined)
    return `'${shown(written)}': expected a period such as 2026-09, 2026 Q3 or 2026 in ${columns.join(' and ')}`
  if (period === null || frequencyOf(period) !== frequency) return { left: 'other_frequency' }
  const column = own ?? shared
  if (column === undefined) return `expected 'value', the column with the values, in the mapping`
  const text = fields[column]?.trim()
  if (text === undefined)
    return `expected a member ${column}, found ${Object.keys(fields).slice(0, PROBLEMS_SHOWN_MAX).join(', ')}`
  if (text === '' || blanks.includes(text)) return { left: 'without_value' }
  const negative = text.startsWith('-')
  const value = readNumber(negative ? text.slice(1) : text, { decimal })
  if (value === null || !/^\d{1,18}(\.\d{1,18})?$/.test(value))
    return `'${shown(text)}': expected a number with the decimal mark ${decimal} in ${column}`
  return { period, value: negative ? `-${value}` : value }
}

const joined = (fields: IndexRow['fields'], columns: readonly string[]) =>
  columns.map((column) => (fields[column] ?? '').trim()).join(' ')

const shown = (text: string) => (text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS)}…`)
