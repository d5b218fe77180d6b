import { z } from 'zod'
import { decision, text } from './fields.ts'

/** Regions that a source may carry, beside the ISO 3166 alpha-2 codes of EU members. */
export const REGIONS = ['ES', 'US', 'AR', 'MX', 'CL', 'CO', 'PE', 'BR', 'UY', 'GB', 'EU', 'LATAM'] as const
export type Region = (typeof REGIONS)[number]
export const isRegion = (text: string): text is Region => (REGIONS as readonly string[]).includes(text)
/** A code in capital letters. Those of ASCII alone change: the long s is another letter, though its capital is an S. */
export const upperCode = (code: string): string => code.replace(/[a-z]/g, (letter) => letter.toUpperCase())
/** The region of a code in either case of letters. */
export function regionOf(code: string): Region | undefined {
  const region = upperCode(code)
  return isRegion(region) ? region : undefined
}

/** The kind of a source fixes its default validity and its price fence. */
export const SourceKind = z.enum(['shop', 'bid', 'bank'])
export type SourceKind = z.infer<typeof SourceKind>
/** Days for which a price of a source keeps its vote, by kind, unless the source registered another number. */
export const VALIDITY_DAYS: Readonly<Record<SourceKind, number>> = { shop: 30, bid: 180, bank: 400 }
/**
 * A price of such a source keeps its vote until the source records a newer edition, which replaces the whole list, or a newer
 * price of the SKU; at most for the source's days.
 */
export const UNTIL_SUPERSEDED = 'until_superseded'
/** Days for which a price that nothing supersedes keeps its vote, unless the source registered fewer: ten years. */
const SUPERSEDED_DAYS_MAX = 3650
/** The days of a source that registers no number of its own. */
export const validityDaysOf = (kind: SourceKind, isUntilSuperseded: boolean): number =>
  isUntilSuperseded ? SUPERSEDED_DAYS_MAX : VALIDITY_DAYS[kind]
export const TRUST_DEFAULT = 50

export const SourceRef = z.object({
  id: text(80),
  name: text(200),
  region: z
    .string()
    .regex(/^[A-Z]{2}(-[A-Z0-9]{1,3})?$|^LATAM$/)
    .nullable(),
  url: z.url().max(2000).nullable(),
})
export type SourceRef = Readonly<z.infer<typeof SourceRef>>

/** Appended by the first crawl of a source. It outranks the source fields of observations. */
export const SourceRegistered = decision('SourceRegistered', {
  source: SourceRef,
  trust_score: z.int().min(0).max(100),
  /** Absent: the days alone end its votes. Otherwise they bound how long a price waits for the one that supersedes it. */
  validity: z.literal(UNTIL_SUPERSEDED).optional(),
  validity_days: z.int().min(1).max(3650),
  kind: SourceKind,
  enabled: z.boolean(),
})
export type SourceRegistered = Readonly<z.infer<typeof SourceRegistered>>

export const TrustChanged = decision('TrustChanged', {
  source_id: text(80),
  trust_score: z.int().min(0).max(100),
  reason: text(1000),
})
export type TrustChanged = Readonly<z.infer<typeof TrustChanged>>

/**
 * A person says what a unit means that vendors write, in one source or in all. The latest decision on a spelling and a
 * source holds, and one on a source outranks one on all. It also outranks the general reading of the spelling.
 */
export const UnitAliased = decision('UnitAliased', {
  /** As the vendor writes it; case, accents, dots and blanks do not matter. */
  unit: text(100),
  /** The unit in a spelling that means it in every language; null takes the alias back. */
  canonical: text(100).nullable(),
  /** Absent: all sources. */
  source_id: text(80).optional(),
  reason: text(1000),
})
export type UnitAliased = Readonly<z.infer<typeof UnitAliased>>

/**
 * A person says that a source is another spelling of a canonical source: both are one legal vendor and cast one vote
 * together. The latest decision on a source holds. Observations and SKUs keep their own source.
 */
export const SourceAliased = decision('SourceAliased', {
  source_id: text(80),
  /** Null takes the alias back. */
  canonical_id: text(80).nullable(),
  reason: text(1000),
})
export type SourceAliased = Readonly<z.infer<typeof SourceAliased>>

/** A person says that two sources are two legal vendors, so that no spelling proposes them again. */
export const SourcesKeptApart = decision('SourcesKeptApart', {
  /** In ascending order. */
  source_ids: z.tuple([text(80), text(80)]),
  reason: text(1000),
})
export type SourcesKeptApart = Readonly<z.infer<typeof SourcesKeptApart>>

/** Enables or disables the votes of a source. It outranks the registration, and the latest decision holds. */
export const SourceSwitched = decision('SourceSwitched', {
  source_id: text(80),
  enabled: z.boolean(),
  reason: text(1000),
})
export type SourceSwitched = Readonly<z.infer<typeof SourceSwitched>>

/** What a licence says of a right: a licence that says nothing of it leaves it unknown. */
export const Right = z.enum(['yes', 'no', 'unknown'])

/** On which terms a publisher gives its prices away, as a person read them. */
export const Licence = z.object({
  /** An SPDX identifier such as CC-BY-4.0, or the name that the publisher uses; null where none is named. */
  name: text(100).nullable(),
  /** What the publisher says, in a sentence or two. */
  terms: text(1000).nullable(),
  /** Where that stands. */
  url: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .nullable(),
  redistribution: Right,
  commercial_use: Right,
  /** The words that name the publisher wherever its prices are shown. */
  attribution: text(500).nullable(),
  /** The day on which a person read the terms. */
  checked_on: z.iso.date(),
})
export type Licence = Readonly<z.infer<typeof Licence>>

/** The licence of a source, stated by the operator; the latest holds, and null takes it back. */
export const SourceLicensed = decision('SourceLicensed', {
  source_id: text(80),
  licence: Licence.nullable(),
})
export type SourceLicensed = Readonly<z.infer<typeof SourceLicensed>>
