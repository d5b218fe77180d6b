import type { Line, LineMatch } from '@catalog/search/ranking/bill-of-materials.ts'
import { judgeChosen, lineKey } from '@catalog/search/ranking/bill-of-materials.ts'
import { type LineCorrection, readCorrections } from '@catalog/store/accounts/corrections.ts'
import type { NamedItem } from '@catalog/store/catalog/queries.ts'
import type { Store } from '@catalog/store/db.ts'
import type { LinkedItem } from '@catalog/store/vendor/recipes.ts'
import { namedOf } from './line-answers.ts'
import type { LineItems } from './line-items.ts'

/** The item that a line means without a search; null: it means none. */
export type LineChoice =
  | Readonly<{ match: LineMatch; row: NamedItem & Partial<LinkedItem> }>
  | { match: null; row: undefined }

/** The saved corrections of a workspace for these lines; none without a workspace. */
export async function correctionsFor(
  store: Store,
  { workspaceId, lines }: { workspaceId: string | undefined; lines: readonly { readonly text: string }[] },
): Promise<readonly LineCorrection[]> {
  if (workspaceId === undefined) return []
  return readCorrections(store, { workspaceId, texts: [...new Set(lines.map(({ text }) => lineKey(text)))] })
}

/**
 * Finds the correction of a line: of its unit and region first, then of its unit in any region, then of any unit. Of several
 * for one line the last counts.
 */
export function correctionsByLine(
  corrections: readonly LineCorrection[],
): (line: { text: string; unit: string; region: string }) => LineCorrection | undefined {
  const keyOf = (text: string, unit: string, region: string) =>
    JSON.stringify([text, unit.trim().toLowerCase(), region])
  const known = new Map(corrections.map((each) => [keyOf(each.text, each.unit, each.region), each]))
  return ({ text, unit, region }) => {
    if (known.size === 0) return undefined
    const key = lineKey(text)
    const keys = [keyOf(key, unit, region), keyOf(key, unit, ''), keyOf(key, '', region), keyOf(key, '', '')]
    return keys.map((each) => known.get(each)).find((each) => each !== undefined)
  }
}

/** What a person said that the line means; undefined where the item has left the catalog. */
export async function correctedLine(
  items: LineItems,
  { counted, itemId, priceRegion }: { counted: Line; itemId: string | null; priceRegion: string | undefined },
): Promise<LineChoice | undefined> {
  if (itemId === null) return { match: null, row: undefined }
  const survivor = await items.survivorOf(itemId)
  const [row] = survivor === undefined ? [] : await items.byId({ itemIds: [survivor], priceRegion })
  return row && { match: judgeChosen(counted, { itemId: row.item_id, ...namedOf(row), score: 1, cos: 0 }), row }
}
