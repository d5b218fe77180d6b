import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '@catalog/core/digest.ts'
import type { MatchSku } from '@catalog/core/matching/match.ts'

/** An offer with the key of the product that it is. */
export type KeyedOffer = MatchSku & Readonly<{ product: string }>

const CATALOGUES = {
  en: 'DDC_CWICR_UK_GBP_Catalog.csv',
  es: 'DDC_CWICR_SP_BARCELONA_Catalog.csv',
  fr: 'DDC_CWICR_FR_PARIS_Catalog.csv',
  de: 'DDC_CWICR_DE_BERLIN_Catalog.csv',
  pt: 'DDC_CWICR_PT_SAOPAULO_Catalog.csv',
} as const

/** Places in the order of the codes by hash: those that are compared, for all of them would take an hour, and others to learn from. */
const JUDGED_CODES = [0, 400] as const
const LEARNED_CODES = [400, 480] as const

/**
 * Resources of the CWICR catalogue in five languages, each language a vendor: one code is one product. The same codes at
 * every call, by hash: they measure recall across languages, and nothing learns from them.
 */
export const cwicrSkus = (folder: string): KeyedOffer[] => translatedSkus(folder, JUDGED_CODES)

/** Other codes of the same list, from which the pair scorer learns how languages name one thing. */
export const translatedOffers = (folder: string): KeyedOffer[] => translatedSkus(folder, LEARNED_CODES)

function translatedSkus(folder: string, [from, to]: readonly [number, number]): KeyedOffer[] {
  const rows = Object.entries(CATALOGUES).flatMap(([lang, file]) =>
    csvRows(readFileSync(join(folder, 'cwicr', file), 'utf8')).map((cells) => ({ lang, cells })),
  )
  const named = new Map(rows.map(({ lang, cells }) => [`${lang} ${cells[0]}`, { lang, cells }]))
  const codes = [...new Set([...named.values()].map(({ cells }) => cells[0] as string))]
  const chosen = new Set(codes.sort((a, b) => (sha256Hex(a) < sha256Hex(b) ? -1 : 1)).slice(from, to))
  return [...named.values()]
    .filter(({ cells }) => chosen.has(cells[0] as string))
    .map(({ lang, cells: [code = '', name = '', , , unit = ''] }) => ({
      vendorSkuId: `${lang}/${code}`,
      sourceId: lang,
      name,
      lang,
      unit: unit === '' ? null : unit,
      product: code,
    }))
}

/** Cells of a CSV with quoted cells and one line a row, without the head. */
function csvRows(text: string): string[][] {
  return text
    .split(/\r?\n/)
    .slice(1)
    .filter((line) => line !== '')
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
        (quoted?.replaceAll('""', '"') ?? plain ?? '').trim(),
      ),
    )
}
