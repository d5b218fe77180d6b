import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readBc3File } from '@catalog/cli/bc3/read.ts'
import type { Kind } from '@catalog/core/events/items.ts'
import { kindOf } from '@catalog/core/kinds/kind-of.ts'
import { type Concept, isChapter } from '@catalog/formats/bc3/price-book/price-book.ts'
import { CATALOGUES, catalogueRows, realInputsFolder } from '@catalog/stack/servers/real-inputs.ts'
import { describe, expect, test } from 'vitest'

/** Kinds by the words of real lists, against the types that the lists themselves state. */
const folder = realInputsFolder()
const suite = `kinds of real lists${folder ? '' : ' (REAL_INPUTS_DIR: none here)'}`

type Stated = Readonly<{ name: string; unit: string; lang: string; kinds: readonly Kind[] }>

/** Least share of rows with a kind, and greatest share of these that contradict the list. */
const LIMITS = { bc3: { stated: 0.45, wrong: 0.05 }, cwicr: { stated: 0.035, wrong: 0.09 } }

describe.skipIf(folder === null)(suite, () => {
  test('agree with the types of BC3 price banks', { timeout: 60_000 }, async () => {
    const rows: Stated[] = []
    for (const name of readdirSync(join(folder as string, 'bc3')).filter((each) => /\.bc3$/i.test(each))) {
      const { book } = await readBc3File(join(folder as string, 'bc3', name))
      for (const concept of book.concepts.values()) {
        const kinds = kindsOfConcept(concept)
        if (kinds) rows.push({ name: concept.summary, unit: concept.unit, lang: 'es', kinds })
      }
    }
    expectAgreement('BC3 price banks', rows, LIMITS.bc3)
  })

  test.each(CATALOGUES)('agree with the types of $file', async ({ file, lang }) => {
    const rows: Stated[] = []
    for await (const { type = '', name = '', unit = '' } of catalogueRows(folder as string, { file })) {
      const kinds = KINDS_OF_TYPE[type]
      if (kinds) rows.push({ name, unit, lang, kinds })
    }
    expectAgreement(file, rows, LIMITS.cwicr)
  })
})

const KINDS_OF_TYPE: Readonly<Record<string, readonly Kind[]>> = {
  Labor: ['labour'],
  Operator: ['labour'],
  Equipment: ['machinery', 'hire'],
  Material: ['material'],
  'Abstract Material': ['material'],
}

/** Types 1 to 3 of FIEBDC-3 are labour, machinery and materials; a type 0 with a recipe is a work. */
function kindsOfConcept({ type, unit, components, ...concept }: Concept): readonly Kind[] | null {
  if (concept.suffix !== '' || isChapter({ type, unit, components, ...concept }) || unit === '') return null
  if (/[%&]/.test(concept.code) || unit === '%') return null
  if (type === '1') return ['labour']
  if (type === '2') return ['machinery', 'hire']
  if (type === '3') return ['material']
  return type === '0' && components.length > 0 ? ['work'] : null
}

function expectAgreement(list: string, rows: readonly Stated[], limits: { stated: number; wrong: number }): void {
  const read = rows.map((row) => ({ ...row, kind: kindOf(row).kind }))
  const stated = read.filter(({ kind }) => kind !== null)
  const wrong = stated.filter(({ kind, kinds }) => !kinds.includes(kind as Kind))
  process.stdout.write(`${list}: ${stated.length} of ${rows.length} rows have a kind, ${wrong.length} another one\n`)
  expect(stated.length / rows.length).toBeGreaterThan(limits.stated)
  expect(wrong.length / stated.length).toBeLessThan(limits.wrong)
}
