import { basename } from 'node:path'
import type { Source } from './tree.ts'

/** Rules about the words of file names, held against docs/glossary.md. */

/** The glossary: words that file names may use, and our terms with the field's. */
export type Glossary = Readonly<{ words: ReadonlySet<string>; terms: ReadonlyMap<string, string> }>

/**
 * Reads docs/glossary.md: rows `| ours | the field's | meaning |` under `## Terms`, and the words of the lists under
 * `## Words of file names`, each list a paragraph of words separated by spaces.
 */
export function readGlossary(markdown: string): Glossary {
  const [, terms = ''] = markdown.split(/^## Terms$/m)
  const [, words = ''] = markdown.split(/^## Words of file names$/m)
  const rows = (terms.split(/^## /m)[0] ?? '').matchAll(/^\| *([^|]+?) *\| *([^|]+?) *\|/gm)
  const listed = (words.split(/^## /m)[0] ?? '').split('\n').filter((line) => /^[a-z0-9 ]+$/.test(line))
  return {
    words: new Set(listed.flatMap((line) => line.split(' ').filter((word) => word !== ''))),
    terms: new Map([...rows].slice(2).map(([, ours = '', field = '']) => [ours, field])),
  }
}

/** Words of the names of files and folders that the glossary does not list, as `path: word`. */
export function unknownWords(sources: readonly Source[], { words }: Glossary): string[] {
  return sources.flatMap(({ path }) =>
    [...new Set([...path.split('/').slice(1, -1), basename(path).replace(/(\.(int|e2e|long))?(\.test)?\.ts$/, '')])]
      .flatMap((name) => name.split(/[-.]/))
      .filter((word) => word !== '' && !/^\d+$/.test(word) && !words.has(word))
      .map((word) => `${path}: '${word}'`),
  )
}
