import { compareText } from '@catalog/core/text.ts'

/** A source, and the canonical source of which it is another spelling. */
export type SourceAlias = Readonly<{ sourceId: string; canonicalId: string }>

/** The canonical source of each aliased one; the others speak for themselves. */
export type SourceVoices = ReadonlyMap<string, string>

/**
 * Follows chains of aliases to their end: A → B → C gives C to both A and B. Commands refuse circles, but two decisions
 * at once may close one: then its smallest id is canonical. Each source has one alias at most; of several the last holds.
 */
export function sourceVoices(aliases: readonly SourceAlias[]): SourceVoices {
  const next = new Map(aliases.map(({ sourceId, canonicalId }) => [sourceId, canonicalId]))
  const voices = new Map<string, string>()
  for (const sourceId of next.keys()) {
    const chain = new Set<string>()
    let at = sourceId
    for (let to = next.get(at); to !== undefined && !chain.has(at); to = next.get(at)) {
      chain.add(at)
      at = to
    }
    if (chain.has(at)) {
      const passed = [...chain]
      at = passed.slice(passed.indexOf(at)).sort(compareText)[0] as string
    }
    if (at !== sourceId) voices.set(sourceId, at)
  }
  return voices
}

/** Whether this alias would close a circle with those in force. */
export function closesCircle({ sourceId, canonicalId }: SourceAlias, voices: SourceVoices): boolean {
  return canonicalId === sourceId || voices.get(canonicalId) === sourceId
}

/** Who says what a SKU is, and by which reference. */
export type Spoken = Readonly<{ sourceId: string; voiceId?: string | undefined; vendorRef?: string | undefined }>

/**
 * Whether two SKUs are two products of one vendor: a vendor lists a product once, under whatever spelling of its name. One
 * reference under two spellings is one product.
 */
export function areTwoOfOneVendor(a: Spoken, b: Spoken): boolean {
  if ((a.voiceId ?? a.sourceId) !== (b.voiceId ?? b.sourceId)) return false
  return a.sourceId === b.sourceId || a.vendorRef === undefined || a.vendorRef !== b.vendorRef
}
