import { LINKS, openSplitter } from '@catalog/embed/builtin/compounds.ts'
import { wordsOf } from '@catalog/embed/builtin/features.ts'
import type { Concept } from './concepts.ts'

/**
 * The parts of the German compounds among the concepts, sorted. They are simple words that stand alone somewhere, and
 * leftovers of several compounds without such a word ("sammel" of "Sammelschienen"). Parts of no word stay out.
 */
export function compoundParts(concepts: readonly Concept[]): string[] {
  const counts = new Map<string, number>()
  for (const { strings } of concepts) {
    for (const text of strings.de ?? []) {
      for (const word of new Set(wordsOf(text))) counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  const simple = simpleWords(counts)
  const parts = new Set([...simple, ...leftovers([...counts.keys()], simple)])
  for (const part of parts) {
    if (LINKED.test(part) && parts.has(part.slice(0, -1))) parts.delete(part)
  }
  const split = openSplitter(parts)
  return [...new Set([...counts.keys()].flatMap(split))].sort()
}

/** Words that are not made of shorter ones. Short ones must be common, which names and endings are not. */
function simpleWords(counts: ReadonlyMap<string, number>): Set<string> {
  const candidates = Array.from(counts)
    .filter(([{ length }, count]) => length >= LETTERS_MIN || (length === LETTERS_MIN - 1 && count >= SHORT_COUNT_MIN))
    .map(([word]) => word)
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
  const simple = new Set<string>()
  // Shorter words come first, so that each is checked against all its possible parts.
  let split = openSplitter(simple)
  let length = 0
  for (const word of candidates) {
    if (word.length !== length) split = openSplitter(simple)
    length = word.length
    if (split(word).length === 0) simple.add(word)
  }
  return simple
}

/** Leftovers beside a simple word in at least LEFTOVER_WORDS_MIN words, without the endings of derived words. */
function leftovers(words: readonly string[], simple: ReadonlySet<string>): string[] {
  const known = new Set(words)
  const split = openSplitter(simple)
  const beside = new Map<string, Set<string>>()
  const note = (rest: string, word: string) => {
    if (rest.length < LETTERS_MIN || known.has(rest)) return
    beside.set(rest, (beside.get(rest) ?? new Set()).add(word))
  }
  for (const word of words) {
    if (word.length < 2 * LETTERS_MIN || split(word).length > 0) continue
    for (let at = LETTERS_MIN; at <= word.length - LETTERS_MIN; at++) {
      const [start, end] = [word.slice(0, at), word.slice(at)]
      for (const link of LINKS) {
        if (simple.has(end) && start.endsWith(link)) note(start.slice(0, start.length - link.length), `- ${end}`)
        if (simple.has(start) && end.startsWith(link)) note(end.slice(link.length), `${start} -`)
      }
    }
  }
  return [...beside].flatMap(([rest, others]) =>
    others.size >= LEFTOVER_WORDS_MIN && !ENDING.test(rest) ? [rest] : [],
  )
}

const LETTERS_MIN = 4
/** "rad", "tor" and "gas" stand alone more often, "tri" and "die" of other languages less often. */
const SHORT_COUNT_MIN = 5
const LEFTOVER_WORDS_MIN = 3

/** Endings of derived words, which would split "Reinigung" and "Sicherheit". */
const ENDING =
  /^(ungs?|ungen|[hk]eit(en|s)?|i[gv](e|em|er|es|en)?|ation(en|s)?|ier(ung|te|ten|ungs)|ismus|(isch|lich)(e|er|es|en)?|schaft(en|s)?)$/

/** Half of a hyphenated compound: "Sicherheits- und Alarmanlagen". */
const LINKED = /(ung|heit|keit|schaft|ion|tat)s$/
