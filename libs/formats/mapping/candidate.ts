import { READ_AS_BYTES_MAX, type ReadAs } from '@catalog/core/events/crawls.ts'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import type { SourceKind, SourceRef, UNTIL_SUPERSEDED } from '@catalog/core/events/sources.ts'

/** An observation without its id, its crawl and the time of recording. */
export type ObservationContent = Omit<ObservationRecorded, 'type' | 'v' | 'event_id' | 'recorded_at' | 'crawl_id'>

/** Facts of a record about its source, beyond the reference that every observation carries. */
export type Registration = Readonly<{
  kind: SourceKind
  trust?: number
  validity?: typeof UNTIL_SUPERSEDED
  validityDays?: number
}>

export type Candidate = Readonly<{
  content: ObservationContent
  registration: Registration
  /** The edition of the list, where the mapping says where it stands: "2024", "2024-12" or "2024-12-01". */
  edition?: string
}>
/** Why a record cannot be recorded, and its source as far as the record names one. */
export type Refusal = Readonly<{ reason: string; detail: string; source: SourceRef; refused?: RefusedRecord }>

/** What a refused record says: its reference and instant where they can be read, and its texts for a person to correct. */
export type RefusedRecord = Readonly<{ vendorRef?: string; observedAt?: string; readAs?: ReadAs }>

/** Values that the operator gives for a whole input; columns and constants of the mapping override them. */
export type Defaults = Readonly<{
  /** Name of the source where the input names none. */
  source: string
  /** The operator named it; otherwise it is the input's name, and a catalogue's own supplier outranks it. */
  isSourceGiven?: boolean | undefined
  sourceId?: string | undefined
  sourceUrl?: string | undefined
  region?: string | undefined
  trust?: number | undefined
  /** until_superseded: newer editions and prices end a vote, not days alone. */
  validity?: string | undefined
  validityDays?: number | undefined
  /** shop, list, net, bid or bank. */
  kind?: string | undefined
  currency?: string | undefined
  observedAt?: string | undefined
  lang?: string | undefined
  /** Later observations are refused: their clock is wrong. */
  notAfter: Date
}>

/** The texts of a record that are kept for correction; undefined where they are too large. */
export function readAsOf(readAs: ReadAs): ReadAs | undefined {
  return Buffer.byteLength(JSON.stringify(readAs)) <= READ_AS_BYTES_MAX ? readAs : undefined
}

/** Ends the reading of a record that cannot be recorded. */
export class RecordRefused extends Error {
  readonly reason: string
  constructor(reason: string, message: string) {
    super(message)
    this.reason = reason
  }
}
