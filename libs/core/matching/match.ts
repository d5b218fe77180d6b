import type { AttributesByRole } from '@catalog/core/attributes/attribute-differences.ts'
import { itemIdOf } from '@catalog/core/events/ids.ts'
import { compareText } from '@catalog/core/text.ts'
import { contradictionBetween } from './contradictions.ts'
import { type MatchSku, type MatchText, type Reading, readingOf, textKey } from './sku-reading.ts'
import { areTwoOfOneVendor, type Spoken } from './source-voices.ts'

export type { MatchSku, MatchText } from './sku-reading.ts'

/**
 * Decides which vendor SKUs are one item. This rule joins only certain matches, by an equal key and by gates that every
 * pair has to pass. A missed match costs a median one vendor, a false one makes the median wrong. A learned rule can
 * replace the keys; the gates and the order of assignment stay.
 */
export const RULE_VERSION = 'exact/6'

/** An item as the matcher sees it. It has a member at least. */
export type MatchItem = Readonly<{ itemId: string; founderVendorSkuId: string; members: MatchMembers }>

/** The items that exist already. Results must not change while `assign` runs. */
export interface ExistingItems {
  /** Items with a member that has the key, in any order. The matcher treats any number above CANDIDATES_MAX alike. */
  byKey(key: string): readonly MatchItem[]
  /** Number of items that the SKU has founded so far. */
  foundedBefore(vendorSkuId: string): number
  /** Whether two names mean the same thing in other words, as in two languages; absent: only a common word tells it. */
  readonly haveOneMeaning?: (a: MatchText, b: MatchText) => boolean
}

/** A SKU with the same GTIN or reference whose name has no word in common: a person decides. */
export type Doubt = Readonly<{ with: string; key: string }>

export type Assignment = Readonly<{
  vendorSkuId: string
  itemId: string
  /** The item is new, and this SKU is its founder. */
  founding: boolean
  /** Number of items that the SKU had founded before. */
  n: number
  /** The keys of the SKU, by which later SKUs find its item. */
  keys: readonly string[]
  /**
   * The `key` that joined it, the SKU that shares it (`with`, null when founding), the number of items that a gate
   * `refused`, and the subjects of these gates (`refused_by`). `same_text` says that a SKU of the item has this very text.
   */
  evidence: Readonly<Record<string, string | number | boolean | null>>
  /** The first SKU that a number alone would have joined it to. */
  doubt: Doubt | null
}>

/** A key that more items share identifies none of them, and the matcher skips it. */
export const CANDIDATES_MAX = 100

/**
 * Gives every unmatched SKU an item, in ascending order of ids. It takes the first item by strongest shared key,
 * smallest founder and smallest id that has no SKU of the same vendor and only compatible members. Otherwise the SKU
 * founds a new item.
 *
 * Law: each step depends only on the items of that moment, so the order of `unmatched` does not matter. After any
 * prefix of the result has been applied, another call with the rest gives the rest.
 */
export function assign(unmatched: readonly MatchSku[], existing: ExistingItems): Assignment[] {
  const changed = new Map<string, MatchItem>()
  const changedByKey = new Map<string, Set<string>>()

  const put = (item: MatchItem, sku: MatchSku, keys: readonly string[]) => {
    const held = changed.get(item.itemId) ?? { ...item, members: new MatchMembers([], item.members) }
    changed.set(item.itemId, held)
    held.members.add(sku)
    for (const key of keys) {
      const ids = changedByKey.get(key)
      if (ids) ids.add(item.itemId)
      else changedByKey.set(key, new Set([item.itemId]))
    }
  }
  const candidates = (key: string): MatchItem[] => {
    const items = new Map(existing.byKey(key).map((item) => [item.itemId, changed.get(item.itemId) ?? item]))
    for (const itemId of changedByKey.get(key) ?? []) items.set(itemId, changed.get(itemId) as MatchItem)
    if (items.size > CANDIDATES_MAX) return []
    return [...items.values()].sort(
      (a, b) => compareText(a.founderVendorSkuId, b.founderVendorSkuId) || compareText(a.itemId, b.itemId),
    )
  }

  return unmatched
    .toSorted((a, b) => compareText(a.vendorSkuId, b.vendorSkuId))
    .map((sku) => {
      const keys = matchKeys(sku)
      const n = existing.foundedBefore(sku.vendorSkuId)
      const refused = new Set<string>()
      const refusedBy = new Set<string>()
      let doubt: Doubt | null = null
      for (const key of keys) {
        for (const item of candidates(key)) {
          const { members } = item
          if (members.holdsVendorOf(sku)) continue
          // A key may be left of a former name, of retracted observations, or of a vendor without trust.
          const sharing = members.heard().filter((member) => matchKeys(member).includes(key))
          const first = sharing.reduce<MatchSku | undefined>(smaller, undefined)
          if (first === undefined) continue
          const isSure = isCorroborated(
            key,
            sharing,
            (member) => shareWord(sku, member) || existing.haveOneMeaning?.(sku, member) === true,
          )
          const contradicted = refusal(sku, members.heard())
          const gate = contradicted ?? (isSure ? null : 'no common word')
          if (gate !== null) {
            if (contradicted === null) doubt ??= { with: first.vendorSkuId, key }
            refused.add(item.itemId)
            refusedBy.add(gate)
            continue
          }
          put(item, sku, keys)
          const isKnown = key.startsWith('name:') && sharing.some((member) => haveOneText(member, sku))
          const evidence = {
            key,
            with: first.vendorSkuId,
            refused: refused.size,
            ...gatesAmong(refusedBy),
            ...(isKnown && { same_text: true }),
          }
          return { vendorSkuId: sku.vendorSkuId, itemId: item.itemId, founding: false, n, keys, evidence, doubt }
        }
      }
      const shell = shellOf(
        sku,
        keys.flatMap((key) => (key.startsWith('name:') ? candidates(key) : [])),
      )
      if (shell !== undefined) {
        put(shell, sku, keys)
        const evidence = { key: keys.at(-1) as string, with: shell.founderVendorSkuId, refused: refused.size }
        return { vendorSkuId: sku.vendorSkuId, itemId: shell.itemId, founding: false, n, keys, evidence, doubt }
      }
      const itemId = itemIdOf(sku.vendorSkuId, n)
      put({ itemId, founderVendorSkuId: sku.vendorSkuId, members: new MatchMembers() }, sku, keys)
      const evidence = { key: null, with: null, refused: refused.size, ...gatesAmong(refusedBy) }
      return { vendorSkuId: sku.vendorSkuId, itemId, founding: true, n, keys, evidence, doubt }
    })
}

/**
 * The first item of this name in which nobody is heard: whoever is heard there again offers the same under the same name, and no
 * other vendor stands there yet.
 */
const shellOf = (sku: MatchSku, items: readonly MatchItem[]): MatchItem | undefined =>
  items.find(
    ({ members }) =>
      members.heard().length === 0 && !members.holdsVendorOf(sku) && refusal(sku, members.silent()) === null,
  )

/** What contradicts between a SKU and a member of an item; null when nothing does. Members of one text are asked once. */
function refusal(sku: MatchSku, members: readonly MatchSku[]): string | null {
  const asked = new Set([readingOf(sku)])
  for (const member of members) {
    const reading = readingOf(member)
    if (asked.has(reading)) continue
    asked.add(reading)
    const contradiction = contradictionBetween(sku, member)
    if (contradiction) return contradiction.about
  }
  return null
}

/** The gates that refused, for evidence: { refused_by: "grade, length" }; nothing when none did. */
const gatesAmong = (gates: ReadonlySet<string>) =>
  gates.size === 0 ? {} : { refused_by: [...gates].sort(compareText).join(', ') }

/**
 * The keys that identify a SKU, strongest first; none when its texts say too little.
 * - `gtin:` 14 digits. A wrong check digit gives no key, nor does a number that a shop gave itself.
 * - `ref:` the manufacturer's reference, letters and digits only, with the brand where the vendor writes it there.
 * - `name:` the words and numbers of the name, and the sold unit. Words are sorted, unless the name has two values of
 *   one kind ("1/2 male 3/4 female"), where the order matters. Numbers and sizes compare by value, so 12,5 is 12.5 and
 *   1.3 cm is 13 mm. Different sizes, grades or packs never share a key.
 */
export function matchKeys(sku: MatchText): string[] {
  return readingOf(sku).keys
}

/** Whether two SKUs may share an item at all: no {@link contradictionBetween} them. Symmetric. */
export function compatible(a: MatchText, b: MatchText): boolean {
  return contradictionBetween(a, b) === null
}

/** The typed values of a name by role. A missing role means that the name does not say. */
export function attributesByRole(sku: MatchText): AttributesByRole {
  return readingOf(sku).attributes
}

/**
 * Whether the number that two SKUs share is theirs: vendors mix up GTINs and references, and two makers may share a reference. Their
 * names have to share a word, or a meaning.
 */
const isCorroborated = (key: string, sharing: readonly MatchSku[], isAlike: (member: MatchSku) => boolean) =>
  key.startsWith('name:') || sharing.some(isAlike)

const shareWord = (a: MatchText, b: MatchText) => !readingOf(a).words.isDisjointFrom(readingOf(b).words)

const haveOneText = (a: MatchText, b: MatchText) => readingOf(a) === readingOf(b) || textKey(a) === textKey(b)

const smaller = (one: MatchSku | undefined, other: MatchSku) =>
  one === undefined || compareText(other.vendorSkuId, one.vendorSkuId) < 0 ? other : one

// Members -------------------------------------------------------------------------------------------------------------

/**
 * The members of an item as {@link assign} asks for them. Many vendors say the same of a product, so of the members of one
 * text it keeps the one of smallest id, and of the others their vendors alone.
 */
export class MatchMembers {
  /** Members that came before, which this one adds to without changing them. */
  readonly #before: MatchMembers | null
  readonly #byVoice = new Map<string, readonly Spoken[]>()
  /** In the order of the members. */
  readonly #heard = new Map<Reading, MatchSku>()
  readonly #silent = new Map<Reading, MatchSku>()

  constructor(skus: Iterable<MatchSku> = [], before: MatchMembers | null = null) {
    this.#before = before
    for (const sku of skus) this.add(sku)
  }

  add(sku: MatchSku): void {
    const { sourceId, voiceId, vendorRef } = sku
    const voice = voiceId ?? sourceId
    this.#byVoice.set(voice, [...(this.#byVoice.get(voice) ?? []), { sourceId, voiceId, vendorRef }])
    const texts = sku.isSilent ? this.#silent : this.#heard
    const reading = readingOf(sku)
    texts.set(reading, smaller(texts.get(reading), sku))
  }

  /** Whether a member and the SKU are two products of one vendor. */
  holdsVendorOf(sku: MatchSku): boolean {
    if (this.#before?.holdsVendorOf(sku)) return true
    return this.#byVoice.get(sku.voiceId ?? sku.sourceId)?.some((member) => areTwoOfOneVendor(member, sku)) === true
  }

  /** One member for each text that is heard. */
  heard(): readonly MatchSku[] {
    return ofEachText(this.#before?.heard(), this.#heard)
  }

  /** The same of those that are not. */
  silent(): readonly MatchSku[] {
    return ofEachText(this.#before?.silent(), this.#silent)
  }
}

function ofEachText(before: readonly MatchSku[] = [], added: ReadonlyMap<Reading, MatchSku>): readonly MatchSku[] {
  if (before.length === 0) return [...added.values()]
  const all = new Map(before.map((sku) => [readingOf(sku), sku]))
  for (const [reading, sku] of added) all.set(reading, smaller(all.get(reading), sku))
  return [...all.values()]
}
