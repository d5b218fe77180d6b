import { gzipSync } from 'node:zlib'
import { workbookOf } from '@catalog/stack/testing/archives.ts'

/** Files that want the memory, the time or the log of whoever reads them. */
export type HostileFile = Readonly<{ name: string; bytes: Buffer }>

const HEADING = ['ref', 'name', 'unit', 'price', 'currency']
const ROWS = 60_000
const MIB = 1024 ** 2

const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
const heading = `<row r="1">${HEADING.map(inline).join('')}</row>`
const rowsOf = (cells: (row: number) => string) =>
  heading + Array.from({ length: ROWS }, (_, i) => `<row r="${i + 2}">${cells(i + 2)}</row>`).join('')

export function hostileFiles(): HostileFile[] {
  const list = `${HEADING.join(';')}\nA;Brick;u;1,50;EUR\n`
  const levels = 1_000_000
  const record = Array.from({ length: 20_000 }, (_, i) => `R${i};`).join('\n')
  return [
    // 60,000 rows that claim all of Excel's 16,384 columns.
    { name: 'wide.xlsx', bytes: workbookOf({ rows: rowsOf((row) => `<c r="XFD${row}"><v>${row * 7919}</v></c>`) }) },
    // One description of 20,000 characters in 60,000 rows.
    {
      name: 'strings.xlsx',
      bytes: workbookOf({
        rows: rowsOf(
          (row) => `${inline(`R${row}`)}<c t="s"><v>0</v></c>${inline('u')}<c><v>${row}.5</v></c>${inline('EUR')}`,
        ),
        strings: `<si><t>${'Clay brick '.repeat(180)}</t></si>`,
      }),
    },
    { name: 'bomb.csv.gz', bytes: gzipSync(list + 'x'.repeat(256 * MIB)) },
    { name: 'deep.json', bytes: Buffer.from(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) },
    { name: 'line.csv', bytes: Buffer.from(list + 'x'.repeat(64 * MIB)) },
    { name: 'letters.csv', bytes: Buffer.from(`${list}${record}\n`) },
  ]
}
