import { escapePattern } from '@catalog/core/text.ts'
import { isBroken, type RawRecord, type ReadRecord, type RecordBatches } from '@catalog/formats/bytes/record.ts'
import { columnsOf } from './columns.ts'
import type { Mapping } from './mapping.ts'
import type { MappingKey } from './mapping-keys.ts'

/** Columns of a mapping that lead through a list inside a record: "variants[*].sku". */

/** The list that the columns of a mapping lead through: "variants"; null for none. */
export function listOf(mapping: Mapping | undefined): string | null {
  for (const columns of Object.values(mapping?.columns ?? {})) {
    for (const column of columns === undefined ? [] : columnsOf(columns)) {
      const [list, rest] = column.split('[*].', 2)
      // The objects around a record have such a path too, which the records of the mapping begin with.
      if (list && rest !== undefined && !mapping?.records?.startsWith(`${list}[*]`)) return list
    }
  }
  return null
}

/** A record for each element of the list, with its values as columns "variants[*].sku"; a record without elements stays. */
export async function* unfolded(batches: RecordBatches, list: string): RecordBatches {
  for await (const batch of batches) {
    yield batch.flatMap((record): readonly ReadRecord[] => (isBroken(record) ? [record] : elementsOf(record, list)))
  }
}

function elementsOf(record: RawRecord, list: string): readonly RawRecord[] {
  const element = elementPattern(list)
  const rest: Record<string, string> = Object.create(null)
  const elements = new Map<string, { fields: Record<string, string>; numbers: Set<string> }>()
  for (const [column, value] of Object.entries(record.fields)) {
    const [, index, key] = element.exec(column) ?? []
    if (index === undefined || key === undefined) {
      rest[column] = value
      continue
    }
    const own = elements.get(index) ?? { fields: Object.create(null), numbers: new Set<string>() }
    elements.set(index, own)
    own.fields[`${list}[*].${key}`] = value
    if (record.numbers?.has(column)) own.numbers.add(`${list}[*].${key}`)
  }
  if (elements.size === 0) return [record]
  return [...elements].map(([index, { fields, numbers }]) => ({
    ...record,
    position: `${record.position} ${list} ${Number(index) + 1}`,
    fields: Object.assign(Object.create(null), rest, fields),
    numbers: new Set([...(record.numbers ?? []), ...numbers]),
  }))
}

const elementPattern = (list: string) => new RegExp(`^${escapePattern(list)}\\.(\\d+)\\.(.+)$`)

/** Keys whose column must not read one element of a list and leave the others. */
const GOODS_KEYS: readonly MappingKey[] = ['vendor_ref', 'price']

/**
 * Why a record has more prices than its columns read: "variants.0.price" beside a "variants.1.price"; null when nothing
 * is lost.
 */
export function lostElements(
  { fields }: RawRecord,
  columns: Readonly<Partial<Record<MappingKey, Parameters<typeof columnsOf>[0]>>>,
): string | null {
  for (const key of GOODS_KEYS) {
    const spec = columns[key]
    for (const column of spec === undefined ? [] : columnsOf(spec)) {
      const [, list, index, rest] = /^(.+)\.(\d+)\.(.+)$/.exec(column) ?? []
      if (list === undefined || index === undefined) continue
      const others = otherElements(fields, { list, index, rest: rest ?? '' })
      if (others > 0) {
        return `${key} reads ${column}, and the record has ${others} more of ${list}: expected ${list}[*].${rest}`
      }
    }
  }
  return null
}

/** Lists whose elements have prices of their own. */
const VARIANTS = /^((?:.+\.)?(?:variants|variations|skus|children|combinations))\.(\d+)\.(?:.+[._])?price(?:[._].+)?$/i

/** Why a guess must not read a product by its own price: its variants have prices; null without several of them. */
export function unreadVariants({ fields }: RawRecord): string | null {
  const indexes = new Map<string, Set<string>>()
  for (const column in fields) {
    const [, list, index] = VARIANTS.exec(column) ?? []
    if (list === undefined || index === undefined) continue
    const known = indexes.get(list) ?? new Set<string>()
    indexes.set(list, known.add(index))
  }
  const found = [...indexes].find(([, known]) => known.size > 1)
  if (found === undefined) return null
  const [list, { size }] = found
  return `the record has ${size} prices of ${list}: expected a mapping with columns such as ${list}[*].price`
}

function otherElements(
  fields: Readonly<Record<string, string>>,
  { list, index, rest }: Readonly<{ list: string; index: string; rest: string }>,
): number {
  let count = 0
  for (let at = 0; `${list}.${at}.${rest}` in fields || at <= Number(index); at++) {
    if (at !== Number(index) && (fields[`${list}.${at}.${rest}`] ?? '').trim() !== '') count++
  }
  return count
}
