import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
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

function readFolder(folder: URL): readonly Vocabulary[] {
  const found = readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => readFile(new URL(file, folder), file))
  return [...found.filter(({ applies }) => applies !== null), ...found.filter(({ applies }) => applies === null)]
}

function readFile(url: URL, file: string): Vocabulary {
  const text = readFileSync(url, 'utf8')
  let content: unknown
  try {
    content = parse(text)
  } catch (cause) {
    throw new InvalidVocabulary(`${file}: expected YAML`, { cause })
  }
  return readVocabulary(content, file)
}
