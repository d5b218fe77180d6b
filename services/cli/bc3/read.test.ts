import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listening } from '@catalog/stack/testing/cli.ts'
import { expect, test } from 'vitest'
import { readBc3Files } from './read.ts'

function inFolder() {
  const folder = mkdtempDisposableSync(join(tmpdir(), 'bc3-'))
  return {
    file: (name: string, text: string) => {
      const path = join(folder.path, name)
      writeFileSync(path, text)
      return path
    },
    [Symbol.dispose]: () => folder.remove(),
  }
}

const WORK = `~V|Ours|FIEBDC-3/2016\\20112026|Our program|\\|ANSI|
~C|R##||Work|50.00||0|
~D|R|WALL\\\\2\\|
~C|WALL|m2|Wall|25.00||0|
~D|WALL|BRICK\\\\10\\MASON\\\\0.5\\|
~C|DOOR|u|Door|0||0|
~D|DOOR|BRICK\\\\1\\|
~C|OFF|u|Off|9||0|
~D|OFF|BRICK\\\\1\\|
~C|BRICK|u|Ladrillo cerámico|1.00||3|
~C|MASON|h|Mason|30.00||1|
~C|MASON|h||||
`

test('answers one file with its report as JSON', async () => {
  using folder = inFolder()
  const path = folder.file('work.bc3', WORK)
  const { heard, terminal } = listening()
  await readBc3Files(terminal, [path])
  expect(heard.answers).toEqual([
    {
      file: path,
      version: 'FIEBDC-3/2016',
      program: 'Our program',
      charset: { declared: 'ANSI', used: 'utf-8' },
      concepts: 6,
      decompositions: 4,
      reconciled: 1,
      not_reconciled: 1,
      computed_only: 1,
      rule: 'line_rounded_2',
      diagnostics: [
        {
          line: 12,
          code: 'DUPLICATE_CONCEPT',
          message: '~C MASON: also on line 11; its new values replace the former ones',
        },
      ],
      misses: [{ code: 'OFF', declared: '9', computed: '1' }],
    },
  ])
})

test('shows misses and diagnostics of one file to people', async () => {
  using folder = inFolder()
  const path = folder.file('work.bc3', WORK)
  const { heard, terminal } = listening()
  await readBc3Files(terminal, [path])
  for (const line of [
    'charset ANSI, read as utf-8',
    '6 concepts, 4 recipes, of which 1 are chapters',
    '1 of 2 recipes with a declared price reconcile (line_rounded_2); 1 have none and are computed',
    'the work without indirect cost: labor 30.00, material 20.00',
    'OFF   9         1         -8          its recipe gives another price',
    '  12  DUPLICATE_CONCEPT  ~C MASON: also on line 11; its new values replace the former ones',
  ]) {
    expect(heard.text).toContain(line)
  }
  expect(heard.next).toBe(`catalog bc3 price ${path}`)
})

test('shows a row for each of several files, and one JSON value', async () => {
  using folder = inFolder()
  const paths = [folder.file('work.bc3', WORK), folder.file('part.bc3', '~M|A\\B|1\\1\\|2||')]
  const { heard, terminal } = listening()
  await readBc3Files(terminal, paths)
  expect(heard.answers).toMatchObject([{ files: [{ file: paths[0] }, { file: paths[1], version: null, rule: null }] }])
  const [heading, work, part] = heard.text.split('\n')
  expect(heading).toMatch(/^FILE +VERSION +PROGRAM/)
  expect(work).toMatch(/^work\.bc3 +FIEBDC-3\/2016 +Our program +ANSI → utf-8 +6 +4 +1\/2 +1 +line_rounded_2 +1$/)
  expect(part).toMatch(/^part\.bc3 +- +- +- → utf-8 +0 +0 +- +0 +- +2$/)
})

test('names a missing file', async () => {
  const { terminal } = listening()
  await expect(readBc3Files(terminal, ['/nowhere/work.bc3'])).rejects.toThrow("file '/nowhere/work.bc3': no such file")
})
