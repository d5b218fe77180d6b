import { itemJson, type Shown } from '@catalog/api/items/item-json.ts'
import type { Line } from '@catalog/search/ranking/bill-of-materials.ts'
import { judgeChosen, lineKey } from '@catalog/search/ranking/bill-of-materials.ts'
import { type LineCorrection, readCorrections } from '@catalog/store/accounts/corrections.ts'
import type { Store } from '@catalog/store/db.ts'
import { evidenceOf, type ItemOfLine, type Matched, NO_PRICES, namedOf, pricesOf } from './line-answers.ts'
import type { LineItems } from './line-items.ts'

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

/** The answer for a line that a person corrected; undefined where the item has left the catalog. */
export async function correctedLine(
  items: LineItems,
  {
    text,
    counted,
    quantity,
    correction: { itemId },
    shown,
  }: { text: string; counted: Line; quantity: number | null; correction: LineCorrection; shown: Shown },
): Promise<Matched | undefined> {
  const of = { text, decided_by: 'correction' as const, alternatives: [] as Matched['alternatives'] }
  if (itemId === null) return { ...of, status: 'unmatched', reason: null, item: null, evidence: null, ...NO_PRICES }
  const survivor = await items.survivorOf(itemId)
  if (survivor === undefined) return undefined
  const [row] = await items.byId({ itemIds: [survivor], priceRegion: shown.priceRegion })
  if (row === undefined) return undefined
  const item = JSON.parse(itemJson(row, shown)) as ItemOfLine
  const match = judgeChosen(counted, {
    itemId: survivor,
    ...namedOf(row),
    score: 1,
    cos: 0,
  })
  return {
    ...of,
    status: 'matched',
    reason: null,
    item: { ...item, score: match.score },
    evidence: evidenceOf(match),
    ...pricesOf(item, {
      basis: await items.basisOf(survivor),
      region: shown.priceRegion,
      itemUnits: match.itemUnits,
      quantity,
    }),
  }
}
