import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { workspaceNamed } from '@catalog/cli/access/keys.ts'
import type { Stage } from '@catalog/cli/shared/context.ts'
import { REGIONS } from '@catalog/core/events/sources.ts'
import { instant } from '@catalog/core/time.ts'
import { type BillColumns, columnsOf } from '@catalog/formats/bill/bill-columns.ts'
import { decodeStream } from '@catalog/formats/bytes/encoding.ts'
import { bytesSource, isBroken, type RecordBatches } from '@catalog/formats/bytes/record.ts'
import { readCsv } from '@catalog/formats/tables/csv.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { lineKey } from '@catalog/search/ranking/bill-of-materials.ts'
import {
  countCorrections,
  deleteCorrections,
  type LineCorrection,
  readCorrections,
  saveCorrections,
} from '@catalog/store/accounts/corrections.ts'
import { survivorId } from '@catalog/store/catalog/detail.ts'

/** Corrections of a workspace: some years of lists. */
const CORRECTIONS_MAX = 100_000
/** A file of corrections: many times that. */
const FILE_BYTES_MAX = 16 * 1024 * 1024
/** In `item_id`: the line means nothing of the catalog. */
const NOTHING = 'none'

/**
 * The corrections for a run: of the file, if any, after those that the workspace has saved. Saves those of the file where a
 * workspace is named. Throws for a file that it cannot read whole, naming line, value and expectation.
 */
export async function correctionsOf(
  catalog: Catalog,
  texts: readonly string[],
  { corrections: path, workspace }: { corrections?: string; workspace?: string },
): Promise<readonly LineCorrection[]> {
  const given = path === undefined ? [] : await readCorrectionsFile(catalog, path)
  if (workspace === undefined) return given
  const { store } = catalog
  const { workspace_id: workspaceId } = await workspaceNamed(catalog, workspace)
  if (given.length > 0) {
    if ((await countCorrections(store, workspaceId)) + given.length > CORRECTIONS_MAX)
      throw new Error(
        `--corrections '${path}': expected at most ${CORRECTIONS_MAX} corrections of a workspace; catalog workspace forget-corrections ${workspaceId}`,
      )
    await saveCorrections(store, { workspaceId, corrections: given, at: instant(catalog.now()) })
  }
  return readCorrections(store, { workspaceId, texts: [...new Set(texts.map(lineKey))] })
}

/**
 * Reads a CSV or XLSX file with a column of texts, the column item_id and, if any, unit and region: also what `--out` wrote,
 * with the item_id that a person filled in. A line without an item_id is undecided. The last of several for one line counts.
 */
async function readCorrectionsFile({ store }: Catalog, path: string): Promise<readonly LineCorrection[]> {
  const bytes = await readFile(path)
  if (bytes.length > FILE_BYTES_MAX)
    throw new Error(`--corrections '${path}': ${bytes.length} bytes, expected at most ${FILE_BYTES_MAX}`)
  let found: BillColumns | null = null
  const headed = (columns: readonly string[]) => {
    const headings = columnsOf(columns.map((text) => ({ text, isNumber: false })))
    return headings !== null && headings.text.length > 0 && columns.includes(ITEM_ID) ? headings : null
  }
  const isHeading = (columns: readonly string[]) => headed(columns) !== null
  const onHeading = ({ columns }: { columns: readonly string[] }) => {
    if (!isHeading(columns))
      throw new Error(`--corrections '${path}': expected the columns text, ${ITEM_ID}; it has ${columns.join(' | ')}`)
    found = headed(columns)
  }
  const source = bytesSource(basename(path), bytes)
  const options = { name: basename(path), isHeading, onHeading }
  const records: RecordBatches = /^\.xls[xm]$/i.test(extname(path))
    ? (await import('@catalog/formats/xlsx/xlsx.ts')).readXlsx(source, options)
    : readCsv(decodeStream(source.open(), {}).text, options)
  const corrections = new Map<string, LineCorrection>()
  for await (const batch of records) {
    for (const record of batch) {
      if (isBroken(record)) throw new Error(`${record.position}: ${record.detail}`)
      const { text = '', unit = '', region = '' } = cellsOf(record.fields, found as unknown as BillColumns)
      const { [ITEM_ID]: item_id = '' } = record.fields
      if (item_id.trim() === '') continue
      const place = region.trim().toUpperCase()
      if (place !== '' && !(REGIONS as readonly string[]).includes(place))
        throw new Error(`${record.position}: region '${region}': expected one of ${REGIONS.join(', ')}, or nothing`)
      if (lineKey(text) === '') throw new Error(`${record.position}: text '${text}': expected the text of a line`)
      const correction = { text: lineKey(text), unit: unit.trim().toLowerCase(), region: place }
      const itemId = item_id.trim() === NOTHING ? null : item_id.trim()
      if (itemId !== null && (await survivorId(store, itemId)) === undefined)
        throw new Error(
          `${record.position}: item_id '${itemId}': expected the id of an item, or '${NOTHING}' where the catalog has none`,
        )
      corrections.set(JSON.stringify(correction), { ...correction, itemId })
    }
  }
  return [...corrections.values()]
}
const ITEM_ID = 'item_id'

function cellsOf(fields: Readonly<Record<string, string>>, { text, unit, region, names }: BillColumns) {
  const cell = ([column]: readonly number[]) => (column === undefined ? '' : fields[names[column] ?? ''])
  return { text: cell(text), unit: cell(unit), region: cell(region) }
}

/** Forgets the corrections of a workspace: its lists are searched again. */
export async function forgetCorrections({ catalog, terminal }: Stage, named: string): Promise<void> {
  const { workspace_id: workspaceId, name } = await workspaceNamed(catalog, named)
  const forgotten = await deleteCorrections(catalog.store, workspaceId)
  terminal.answer({ workspace_id: workspaceId, forgotten }, () => `${name}: ${forgotten} corrections are forgotten`)
}
