import { type SoldUnit, soldUnit } from '@catalog/core/units/sold-unit.ts'
import { z } from 'zod'
import { PRICE_LEVELS, ProductKind } from './price-levels.ts'

export const Key = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'expected kebab case')
export const Locale = z.string().regex(/^(es|en|pt|fr|de)(-[A-Z]{2})?$/, 'expected a locale such as es or es-MX')
const LANGUAGES = ['es', 'en', 'pt', 'fr', 'de'] as const
type Language = (typeof LANGUAGES)[number]
export const Region = z
  .string()
  .refine((region) => region in PRICE_LEVELS, `expected one of ${Object.keys(PRICE_LEVELS).join(', ')}`)
export const Text = z.string().trim().min(1)

const MEASURES = ['m', 'm2', 'm3', 'kg', 't', 'l', 'h', 'day'] as const
const CONTAINERS = ['bag', 'sack', 'box', 'roll', 'sheet', 'pail', 'can', 'bar', 'bundle'] as const
export const Unit = z.enum([...MEASURES, 'u', 'pair', 'set', ...CONTAINERS])
export type Unit = z.infer<typeof Unit>
export const Measure = z.enum(MEASURES)

type Pack = z.infer<typeof Pack>
const Pack = z.strictObject({ quantity: z.number().positive(), unit: Text })

const ProductEntry = z.strictObject({
  /** Unique over all files. */
  key: Key,
  /** Net trade price in euros for one sold unit with its pack, at the level of Spain. */
  eur: z.number().positive(),
  unit: Unit,
  /** Contents of one sold unit. */
  pack: Pack.optional(),
  /** Other packs, by region; the price follows the contents. */
  packs: z.record(Region, Pack).optional(),
  /** It begins with 952, which GS1 keeps for examples. */
  gtin: Text.optional(),
  /** The manufacturer's reference. */
  ref: Text.optional(),
  /** Spellings by locale, the common one first. */
  names: z.record(Locale, z.array(Text).min(1)),
})

const CategoryPath = z.array(Text).min(1).max(6)
export const TradeFile = z.strictObject({
  trade: Key,
  kind: ProductKind,
  /** The vendor's category path of the trade, by language. */
  category: z.strictObject({
    es: CategoryPath,
    en: CategoryPath,
    pt: CategoryPath,
    fr: CategoryPath.optional(),
    de: CategoryPath.optional(),
  }),
  /** The most common goods first. */
  products: z.array(ProductEntry).min(1),
})
export type TradeFile = z.infer<typeof TradeFile>

export type Product = Readonly<
  z.infer<typeof ProductEntry> &
    Pick<TradeFile, 'trade' | 'kind' | 'category'> & {
      /** Whether every vendor of the trade carries it. */
      isCommon: boolean
      /** Price level by region relative to Spain, where it is not that of its kind. */
      levels: MarketLevels
    }
>

/** market-names.yaml: by locale and product; no spelling where nobody sells it. */
export const NamesFile = z.record(Locale, z.record(Key, z.array(Text)))
export type NamesFile = z.infer<typeof NamesFile>

type MarketLevels = z.infer<typeof MarketLevels>
const MarketLevels = z.record(Region, z.number().min(0.1).max(10))

/** market-levels.yaml: levels by trade and by product, which goes first. */
export const LevelsFile = z.strictObject({
  families: z.record(Key, MarketLevels),
  products: z.record(Key, MarketLevels),
})
export type LevelsFile = z.infer<typeof LevelsFile>

export function sold(unit: string, pack?: Pack): SoldUnit {
  return soldUnit({ unit, lang: 'en', ...(pack && { pack: { quantity: String(pack.quantity), unit: pack.unit } }) })
}

export function spellingsOf(names: Product['names'], locale: string): readonly string[] {
  return names[locale] ?? names[languageOf(locale)] ?? []
}

export function languageOf(locale: string): Language {
  return locale.slice(0, 2) as Language
}

/** near-twins.yaml: goods that differ in one subject from a good of another vendor of their market. */
export const NearTwinsFile = z.strictObject({
  pairs: z.array(
    z.strictObject({
      /** The subject in which the names differ, as a contradiction names it; "contents" and "price" besides. */
      about: Text,
      trade: Key,
      unit: Unit,
      /** Contents of one sold unit. */
      pack: z.strictObject({ quantity: z.number().positive(), unit: Text }).optional(),
      /** The product of the sample that it is as well, in the words of another country: no fault to join the two. */
      is: Key.optional(),
      /** By vendor: its name for the good, and euros for one unit at the level of Spain. */
      of: z.record(Key, z.tuple([Text, z.number().positive()])),
    }),
  ),
})
export type NearTwinsFile = z.infer<typeof NearTwinsFile>

/** A planted good, the vendor that sells it, the subject that tells it from its twin, and the product that it is as well. */
export type NearTwin = Readonly<{ vendor: string; about: string; product: Product; is?: string }>

/** The planted goods, each a product of its own. `families` are the price levels of trades by region. */
export function nearTwinsOf(
  { pairs }: NearTwinsFile,
  { trades, families }: { trades: readonly TradeFile[]; families: Readonly<Record<string, Product['levels']>> },
): NearTwin[] {
  return pairs.flatMap(({ about, trade, unit, pack, is, of }) => {
    const found = trades.find((each) => each.trade === trade)
    if (found === undefined) return []
    const { kind, category } = found
    return Object.entries(of).map(([vendor, [name, eur]]): NearTwin => {
      const product: Product = {
        key: `twin-${about.toLowerCase().replaceAll(' ', '-')}-${vendor}`,
        eur,
        unit,
        ...(pack && { pack }),
        names: { es: [name], en: [name], pt: [name] },
        trade,
        kind,
        category,
        isCommon: false,
        levels: families[trade] ?? {},
      }
      return { vendor, about, product, ...(is && { is }) }
    })
  })
}
