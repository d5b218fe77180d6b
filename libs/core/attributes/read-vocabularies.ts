import { readdirSync, readFileSync } from 'node:fs'
import { openMemo } from '@catalog/core/memo.ts'
import { load } from 'js-yaml'
import { InvalidVocabulary, readVocabulary, type Vocabulary } from './vocabulary.ts'

/**
 * The vocabularies of this folder, in the order of their file names, with those that any trade uses at the end; one read
 * a process. Throws InvalidVocabulary for the first file that breaks the schema.
 */
export function vocabularies(): readonly Vocabulary[] {
  read ??= readFolder(new URL('./', import.meta.url))
  return read
}
let read: readonly Vocabulary[] | undefined

/** The vocabularies that apply to a folded text, in the order of {@link vocabularies}. */
export function vocabulariesOf(text: string): readonly Vocabulary[] {
  index ??= indexOf(vocabularies())
  const found = new Set<Vocabulary>()
  for (const [word] of text.matchAll(/[\p{L}\p{N}]+/gu))
    for (const vocabulary of ofWord(word, index)) found.add(vocabulary)
  return vocabularies().filter((vocabulary) => vocabulary.words === null || found.has(vocabulary))
}
let index: ReturnType<typeof indexOf> | undefined

/** Names repeat few words, and a word has many beginnings. */
const BY_WORD = openMemo<readonly Vocabulary[]>(20_000)
const ofWord = (word: string, { byBeginning, lengths }: ReturnType<typeof indexOf>) =>
  BY_WORD(word, () =>
    lengths.flatMap((length) => (length > word.length ? [] : (byBeginning.get(word.slice(0, length)) ?? []))),
  )

function indexOf(all: readonly Vocabulary[]) {
  const beginnings = all.flatMap((vocabulary) => (vocabulary.words ?? []).map((word) => ({ word, vocabulary })))
  const byBeginning = new Map(
    [...Map.groupBy(beginnings, ({ word }) => word)].map(([word, each]) => [
      word,
      each.map(({ vocabulary }) => vocabulary),
    ]),
  )
  const lengths = [...new Set(beginnings.map(({ word }) => word.length))].sort((a, b) => a - b)
  return { byBeginning, lengths }
}

function readFolder(folder: URL): readonly Vocabulary[] {
  const found = readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => readFile(new URL(file, folder), file))
  return [...found.filter(({ words }) => words !== null), ...found.filter(({ words }) => words === null)]
}

function readFile(url: URL, file: string): Vocabulary {
  const text = readFileSync(url, 'utf8')
  let content: unknown
  try {
    content = load(text)
  } catch (cause) {
    throw new InvalidVocabulary(`${file}: expected YAML`, { cause })
  }
  return readVocabulary(content, file)
}
