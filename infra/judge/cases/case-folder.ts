import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { InputOptions } from '@catalog/crawler/ingest/inputs.ts'
import { parseMapping } from '@catalog/formats/mapping/mapping.ts'

/** A file of a case, with the options of the command that crawls it. */
export type CaseFile = Readonly<{ case: string; file: string; path: string; options: InputOptions }>

const OPTIONS = {
  source: { type: 'string' },
  region: { type: 'string' },
  currency: { type: 'string' },
  kind: { type: 'string' },
  lang: { type: 'string' },
  mapping: { type: 'string' },
  'observed-at': { type: 'string' },
  preview: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

/**
 * The files that the commands `catalog crawl INPUT` of each `NN/case.md` read; a folder stands for its files. Every file is
 * a crawl of its own, so that the files of a folder do not contradict each other.
 */
export function readCases(folder: string): CaseFile[] {
  const numbers = readdirSync(folder).filter((name) => /^\d+$/.test(name))
  return numbers.toSorted().flatMap((number) => {
    const place = join(folder, number)
    const text = readFileSync(join(place, 'case.md'), 'utf8')
    return [...text.matchAll(/^(?:Command: )?(?:npx )?catalog crawl (.*)$/gm)].flatMap(([, words = '']) =>
      filesOf(words.split(';')[0] ?? '', { case: number, place }),
    )
  })
}

function filesOf(command: string, { case: number, place }: Readonly<{ case: string; place: string }>): CaseFile[] {
  const args = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options: OPTIONS })
  const { mapping, 'observed-at': observedAt, preview: _preview, json: _json, ...rest } = values
  const options = {
    ...rest,
    ...(observedAt !== undefined && { observedAt: new Date(observedAt).toISOString() }),
    ...(mapping !== undefined && { mapping: parseMapping(readFileSync(join(place, mapping), 'utf8'), mapping) }),
  }
  const [input = '.'] = positionals
  const path = join(place, input === '.' ? '' : basename(input))
  if (!statSync(path).isDirectory()) return [{ case: number, file: basename(path), path, options }]
  const files = readdirSync(path).filter((name) => !name.endsWith('.md'))
  return files.toSorted().map((file) => ({ case: number, file, path: join(path, file), options }))
}
