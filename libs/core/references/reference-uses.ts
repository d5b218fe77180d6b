import { statedContradiction } from '@catalog/core/matching/contradictions.ts'
import { type MatchText, readingOf } from '@catalog/core/matching/sku-reading.ts'
import { nameLanguage } from '@catalog/core/names/name-language.ts'

/** What a vendor said under one of its references. A retracted text is hidden: it still tells articles apart. */
export type Said = Readonly<{ observedAt: string; text: MatchText; isHidden: boolean }>

/** From `since` on, a reference stands for its n-th article. */
export type ReferenceUse = Readonly<{ since: string; n: number }>

/** `about` tells the articles apart: {@link OTHER_ARTICLE}, "unit", or an attribute. */
export type Reuse = ReferenceUse & Readonly<{ about: string; before: MatchText; after: MatchText }>

/** Two names that have nothing in common. */
const OTHER_ARTICLE = 'article'

/** Whether two names mean one thing; null where the meaning of one of them is unknown. */
export type SameMeaning = (a: MatchText, b: MatchText) => boolean | null

/**
 * Decides from when a reference stands for which article: at each instant, for that of its latest visible text. `said` is in the
 * order of the crawls, and of time within a crawl; `uses` are the decisions so far, in their order.
 *
 * Law: articles are numbered in that order, so no later text, whatever its date, and no retraction renumbers them: runs after each text
 * and one run after all of them decide the same uses.
 */
export function reuses(said: readonly Said[], uses: readonly ReferenceUse[], meaning: SameMeaning): Reuse[] {
  const numbered = articlesOf(said, meaning)
  const visible = numbered.filter(({ isHidden }) => !isHidden).sort(byTime)
  const decided = uses.map(({ since, n }) => ({ atMs: Date.parse(since), n }))
  const found: Reuse[] = []
  const instants = new Set([...visible.map(({ observedAt }) => observedAt), ...uses.map(({ since }) => since)])
  for (const since of [...instants].sort((a, b) => Date.parse(a) - Date.parse(b))) {
    const atMs = Date.parse(since)
    const now = visible.findLast((one) => one.atMs <= atMs)
    const n = inForce(decided, atMs)
    if (now === undefined || now.n === n) continue
    const former = numbered.filter((one) => one.n === n).map(({ text }) => text)
    const about = otherArticle(former, now.text, meaning) ?? OTHER_ARTICLE
    found.push({ since, n: now.n, about, before: former.at(-1) ?? now.text, after: now.text })
    decided.push({ atMs, n: now.n })
  }
  return found
}

/** The article in force at an instant: of the latest use up to it, and of those of one instant the last. */
function inForce(uses: readonly Readonly<{ atMs: number; n: number }>[], atMs: number): number {
  let force: { atMs: number; n: number } | undefined
  for (const use of uses) if (use.atMs <= atMs && use.atMs >= (force?.atMs ?? use.atMs)) force = use
  return force?.n ?? 0
}

type Numbered = Said & Readonly<{ atMs: number; n: number }>

const byTime = (a: Numbered, b: Numbered) => a.atMs - b.atMs

/**
 * A text is of the article of the text before it in time, unless it contradicts what was said of that one. Then it is of the first
 * article that it does not contradict, or of the next new one.
 */
function articlesOf(said: readonly Said[], meaning: SameMeaning): Numbered[] {
  const articles: MatchText[][] = []
  const numbered: Numbered[] = []
  const inTime: Numbered[] = []
  for (const one of said) {
    const atMs = Date.parse(one.observedAt)
    const place = inTime.findLastIndex((other) => other.atMs <= atMs)
    const at = inTime[Math.max(0, place)]?.n ?? 0
    const isOf = (n: number) => otherArticle(articles[n] ?? [], one.text, meaning) === null
    const n = isOf(at) ? at : [...articles.keys(), articles.length].findIndex(isOf)
    const own = articles[n] ?? []
    articles[n] = own
    if (!own.some((known) => isSameText(known, one.text))) own.push(one.text)
    inTime.splice(place + 1, 0, { ...one, atMs, n })
    numbered.push({ ...one, atMs, n })
  }
  return numbered
}

/** What tells that a text is of another article than these; null where nothing does for certain. */
export function otherArticle(known: readonly MatchText[], text: MatchText, meaning: SameMeaning): string | null {
  if (known.length > 0 && known.every((one) => haveNothingInCommon(one, text, meaning))) return OTHER_ARTICLE
  for (const one of known) {
    const contradiction = statedContradiction(one, text)
    if (contradiction) return contradiction.about
  }
  return null
}

/**
 * Whether two texts of one reference share no number that identifies goods, no beginning of a word and no meaning. Names of unknown
 * meaning tell something only in one language: a translation shares no word either.
 */
function haveNothingInCommon(a: MatchText, b: MatchText, meaning: SameMeaning): boolean {
  const [one, other] = [readingOf(a), readingOf(b)]
  if (one.keys.some((key) => !key.startsWith('name:') && other.keys.includes(key))) return false
  const [words, others] = [wordsIn(one.words), wordsIn(other.words)]
  if (words.length === 0 || others.length === 0) return false
  if (words.some((word) => others.some((each) => beginAlike(word, each)))) return false
  const isOne = meaning(a, b)
  return isOne === null ? areOfOneLanguage(a, b) : !isOne
}

const wordsIn = (words: ReadonlySet<string>) => [...words].filter((word) => /^\p{L}+$/u.test(word))

/** Abbreviations begin as their word does, and so do most forms of a word. */
function beginAlike(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length, STEM_CHARS)
  return one.slice(0, length) === other.slice(0, length)
}
const STEM_CHARS = 5

function areOfOneLanguage(a: MatchText, b: MatchText): boolean {
  const [one, other] = [a, b].map(({ name, lang }) => nameLanguage({ name, lang, region: null }).lang)
  return one !== null && one === other
}

const isSameText = (a: MatchText, b: MatchText) => textOf(a) === textOf(b)
const textOf = ({ name, unit, pack }: MatchText) => JSON.stringify([name, unit, pack?.quantity, pack?.unit])
