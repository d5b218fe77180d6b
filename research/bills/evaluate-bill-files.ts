import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import type { Bill, BillRow } from '@catalog/formats/bill/bill.ts'
import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { readBill } from '@catalog/formats/read-bill.ts'

/** What a person stated of a file: the first number of each kind; null for what nobody stated. */
type Stated = Readonly<{ lines: number | null; sections: number | null; total: number | null }>

/** Reads each bill of a folder, and prints what is read beside what `NAME.truth.txt` or the table of its README.md states. */
export async function evaluateBillFiles(terminal: Terminal, folder: string): Promise<void> {
  const files = readdirSync(folder).filter((name) => /\.(?:bc3|csv|xlsx|onlv|[dpx]8[1-6])$/i.test(name))
  const answers: (Readonly<{ file: string; stated: Stated; ms: number }> &
    (ReturnType<typeof counted> | { error: string }))[] = []
  for (const file of files.sort()) {
    const begun = process.cpuUsage().user
    const read = await readBill(bytesSource(file, readFileSync(join(folder, file)))).catch((error: Error) => error)
    const answer = read instanceof Error ? { error: read.message } : counted(read)
    answers.push({ file, ...answer, stated: statedOf(folder, file), ms: (process.cpuUsage().user - begun) / 1_000 })
  }
  terminal.answer(answers, () => {
    const rows = answers.map((answer) => {
      const { file, stated, ms } = answer
      const both = (read: number | null, said: number | null) =>
        `${shown(read)}${said === read ? '' : ` / ${shown(said)}`}`
      if ('error' in answer)
        return {
          file,
          'lines read / stated': answer.error,
          'sum of lines': '',
          total: '',
          sections: '',
          'in doubt': '',
          ms: '',
        }
      const { lines, sum, total, sections, problems } = answer
      return {
        file,
        'lines read / stated': both(lines, stated.lines),
        'sum of lines': shown(sum),
        total: both(total, stated.total),
        sections: both(sections, stated.sections),
        'in doubt': String(problems.length),
        ms: ms.toFixed(0),
      }
    })
    const told = answers.flatMap((answer) => {
      if ('error' in answer) return []
      const reasons = Map.groupBy(answer.problems, (problem) => problem.replace(/'[^']*'|-?\d+(?:\.\d+)?/g, '…'))
      return [...answer.notes, ...[...reasons].map(([reason, all]) => `${answer.file}: ${all.length} × ${reason}`)]
    })
    return [table(rows), ...told].join('\n')
  })
}

function counted({ rows, total, notes }: Bill) {
  const lines = rows.filter((row) => row.kind === 'line')
  const count = (kind: BillRow['kind']) => rows.filter((row) => row.kind === kind).length
  const sum = lines.reduce((cents, { amount, counts }) => cents + (counts === 'yes' ? Number(amount ?? 0) : 0), 0)
  return {
    lines: lines.length,
    sum: Number(sum.toFixed(2)),
    total: total === null ? null : Number(Number(total).toFixed(2)),
    sections: count('section'),
    sums: count('sum'),
    problems: lines.flatMap(({ problem }) => problem ?? []),
    notes,
  }
}

function statedOf(folder: string, file: string): Stated {
  const truth = join(folder, `${file}.truth.txt`)
  const readme = join(folder, 'README.md')
  const text = existsSync(truth) ? readFileSync(truth, 'utf8') : ''
  const statedIn = (kind: string, number: string) => {
    const line = new RegExp(`^(?:priced |grand )?${kind}: (.*)`, 'm').exec(text)?.[1] ?? ''
    const found = /^none/.test(line) ? undefined : new RegExp(number).exec(line)?.[0]
    return found === undefined ? null : Number(found.replace(/[.,](?=\d{3}(?!\d))/g, ''))
  }
  if (text !== '') {
    const [lines, sections] = ['lines', 'sections'].map((kind) => statedIn(kind, '\\d[\\d,]*'))
    // A number of a row or of a part is shorter.
    return { lines: lines ?? null, sections: sections ?? null, total: statedIn('total', '\\d[\\d.,]{4,}\\d') }
  }
  const row = existsSync(readme)
    ? readFileSync(readme, 'utf8')
        .split('\n')
        .find((line) => line.startsWith(`| ${file} |`))
    : undefined
  const lines = /(\d+)/.exec(row?.split('|')[6] ?? '')?.[1]
  return { lines: lines === undefined ? null : Number(lines), sections: null, total: null }
}

const shown = (number: number | null) =>
  number === null ? '-' : number.toLocaleString('en-GB', { maximumFractionDigits: 2 })
