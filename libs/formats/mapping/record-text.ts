import type { RawRecord } from '@catalog/formats/bytes/record.ts'
import { recordableText, recordableUrl } from '@catalog/formats/bytes/vendor-text.ts'
import { bareUnit, unitPriceOf } from '@catalog/formats/vocabulary/unit-price.ts'
import { columnsOf, type ResolvedMapping } from './columns.ts'
import type { Columns } from './mapping-keys.ts'
import { MAPPING_KEYS, type MappingKey } from './mapping-keys.ts'
import { oneLine } from './text-checks.ts'

/** Recordable texts of a record by mapping key: from its columns, else the constant of the mapping. */

type TextKey = Exclude<MappingKey, 'category_path'>
export type TextReader = (record: RawRecord) => string
export type TextReaders = Readonly<Record<TextKey, TextReader>>

export function textReaders({ columns, constants }: ResolvedMapping): TextReaders {
  const readers = MAPPING_KEYS.filter((key) => key !== 'category_path').map((key) => [
    key,
    textReader(columns[key], constants[key] ?? '', key),
  ])
  return withUnits(Object.fromEntries(readers) as TextReaders)
}

/** A price for people may name its unit ("12,50 €/tk"), and a unit its "per". */
function withUnits(readers: TextReaders): TextReaders {
  return {
    ...readers,
    price(record) {
      const text = readers.price(record)
      return unitPriceOf(text)?.price ?? text
    },
    unit(record) {
      const unit = bareUnit(readers.unit(record))
      return unit === '' ? (unitPriceOf(readers.price(record))?.unit ?? '') : unit
    },
  }
}

/** Reads a column, or joins several; a blank gives the constant. */
function textReader(columns: Columns | undefined, constant: string, key: MappingKey): TextReader {
  if (columns === undefined) return () => constant
  const recordable = key === 'url' || key === 'source_url' ? recordableUrl : recordableText
  const names = columnsOf(columns)
  const [only] = names
  if (names.length === 1 && only !== undefined) return ({ fields }) => recordable(fields[only] ?? '') || constant
  const joint = key === 'vendor_ref' ? '|' : ' '
  return ({ fields }) => {
    const parts = names.map((name) => recordable(fields[name] ?? '').trim())
    return parts.every((part) => part === '') ? constant : parts.join(joint).trim()
  }
}

/** Reads the levels of a category: one column with a path, or a column for each level. */
export function categoryReader(
  columns: Columns | undefined,
  constant: string | undefined,
): (record: RawRecord) => string[] {
  const split = (path: string, separator: string | RegExp) =>
    recordableText(path)
      .split(separator)
      .map(oneLine)
      .filter((level) => level !== '')
  const ofConstant = split(constant ?? '', PATH_SEPARATOR).slice(0, CATEGORY_LEVELS_MAX)
  if (columns === undefined) return () => ofConstant
  return ({ fields }) => {
    const levels =
      typeof columns === 'string'
        ? split(fields[columns] ?? '', PATH_SEPARATOR)
        : 'column' in columns
          ? split(fields[columns.column] ?? '', columns.separator)
          : columns.map((column) => oneLine(recordableText(fields[column] ?? ''))).filter((level) => level !== '')
    return levels.length === 0 ? ofConstant : levels.slice(0, CATEGORY_LEVELS_MAX)
  }
}
/** "Materials > Cement": names of categories hold neither sign. The mapping states any other separator. */
const PATH_SEPARATOR = /[>»]/
const CATEGORY_LEVELS_MAX = 12
