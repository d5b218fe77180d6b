import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import { type Bc3Charset, CHARSETS } from '@catalog/formats/bc3/charset.ts'
import type { Bc3Entry } from '@catalog/formats/bc3/entries.ts'
import { DiagnosticLog, openBc3 } from '@catalog/formats/bc3/entry-stream.ts'
import { buildPriceBook } from '@catalog/formats/bc3/price-book/price-book-builder.ts'
import { reprice } from '@catalog/formats/bc3/price-book/reprice.ts'
import { writeBc3 } from '@catalog/formats/bc3/write.ts'
import type { Encoding } from '@catalog/formats/bytes/encoding.ts'
import type { ByteSource } from '@catalog/formats/bytes/record.ts'
import { inPieces } from '@catalog/stack/testing/archives.ts'
import fc from 'fast-check'

/**
 * Damaged BC3 files: seeds with random mutations, and the law for each. The file is read without an exception, folded
 * into a price book, repriced, written and read again, each step in less than {@link STEP_CPU_MS_MAX}. The written file
 * says what the read one said, unless the writer reported that it could not.
 */
export type Mutation = Readonly<
  | { do: 'flip' | 'delete' | 'repeat' | 'move' | 'blank'; at: number; length: number; to: number }
  | { do: 'insert'; at: number; token: string; times: number }
  | { do: 'splice'; at: number; seed: number; from: number; length: number }
  | { do: 'wide' }
>
type Broken = Readonly<{ seed: number; mutations: readonly Mutation[]; pieceBytes: number; charset: Bc3Charset }>

export type FuzzTally = {
  inputs: number
  bytes: number
  entries: number
  odd: number
  replaced: number
  slowestMs: number
}

export const newFuzzTally = (): FuzzTally => ({ inputs: 0, bytes: 0, entries: 0, odd: 0, replaced: 0, slowestMs: 0 })

/** CPU time, so that other work on the machine does not count as a hang. */
const STEP_CPU_MS_MAX = 1_000
/** Larger seeds are cut: this holds a file's oddities and allows many runs. */
const SEED_BYTES_MAX = 20_000
const MUTATIONS_MAX = 12
/** Bound for seeds that mutations repeat. */
const INPUT_BYTES_MAX = 100_000

/** What damage likes to hit: separators, record letters, line ends, odd bytes and numbers. */
const TOKENS: readonly string[] = JSON.parse(readFileSync(new URL('./tokens.json', import.meta.url), 'utf8'))

/** The law above as a property; `seeds` are files, the tally counts outcomes. */
export function brokenFilesAreRead(seeds: readonly Uint8Array[], tally: FuzzTally) {
  const cut = seeds.map((seed) => seed.subarray(0, SEED_BYTES_MAX))
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  const seed = fc.nat({ max: cut.length - 1 })
  const length = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 4_000 }))
  const mutation: fc.Arbitrary<Mutation> = fc.oneof(
    fc.record({
      do: fc.constantFrom('flip', 'delete', 'repeat', 'move', 'blank'),
      at: share,
      length,
      to: share,
    }),
    fc.record({
      do: fc.constant('insert'),
      at: share,
      token: fc.constantFrom(...TOKENS),
      times: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 5_000 })),
    }),
    fc.record({ do: fc.constant('splice'), at: share, seed, from: share, length }),
    fc.record({ do: fc.constant('wide') }),
  )
  const broken: fc.Arbitrary<Broken> = fc.record({
    seed,
    mutations: fc.array(mutation, { maxLength: MUTATIONS_MAX }),
    pieceBytes: fc.oneof(fc.integer({ min: 50, max: 2_000 }), fc.constant(65_536)),
    charset: fc.constantFrom('UTF-8', 'ANSI', '850', '437'),
  })
  return fc.asyncProperty(broken, async (input) => check(cut, input, tally))
}

async function check(seeds: readonly Uint8Array[], { seed, mutations, pieceBytes, charset }: Broken, tally: FuzzTally) {
  const bytes = mutated(seeds, seed, mutations)
  const timed = async <Result>(name: string, step: () => Result): Promise<Awaited<Result>> => {
    const begun = process.cpuUsage()
    const result = await step()
    const ms = process.cpuUsage(begun).user / 1_000
    tally.slowestMs = Math.max(tally.slowestMs, Math.round(ms))
    if (ms > STEP_CPU_MS_MAX) throw new Error(`${name} of ${bytes.length} bytes took ${ms} ms of processor time`)
    return result
  }
  const log = new DiagnosticLog()
  const entries = await timed('reading', () => entriesOf(bytes, pieceBytes, log))
  const book = await timed('folding', () => buildPriceBook([entries], new DiagnosticLog()))
  await timed('repricing', () => reprice(book, { log: new DiagnosticLog() }))
  const replaced = new DiagnosticLog()
  const written = await timed('writing', () => buffer(writeBc3([entries], { charset, log: replaced })))
  // Decode by the declared charset: garbled texts may look like another one.
  const encoding = CHARSETS[charset]
  const again = await timed('reading what was written', () =>
    entriesOf(written, pieceBytes, new DiagnosticLog(), encoding),
  )
  const expected = facts(entries[0]?.letter === 'V' ? entries : [null, ...entries])
  const found = facts(again)
  if (replaced.counts.size === 0) {
    for (const [i, fact] of expected.entries()) {
      if (fact !== null && !isDeepStrictEqual(found[i], fact)) throw new Error(differs(fact, found[i]))
    }
    if (found.length !== expected.length)
      throw new Error(`${expected.length} entries were written, ${found.length} read`)
  }
  tally.inputs += 1
  tally.bytes += bytes.length
  tally.entries += entries.length
  tally.odd += log.counts.size > 0 ? 1 : 0
  tally.replaced += replaced.counts.size > 0 ? 1 : 0
}

function differs(written: unknown, read: unknown): string {
  return `written ${JSON.stringify(written).slice(0, 500)}, read ${JSON.stringify(read)?.slice(0, 500)}`
}

/** Leaves out what the writer decides: the place of a record, and version and charset of ~V. */
export function facts(entries: readonly (Bc3Entry | null)[]) {
  return entries.map(
    (entry) => entry && { ...entry, line: 0, ...(entry.letter === 'V' && { version: '', charset: '' }) },
  )
}

async function entriesOf(
  bytes: Uint8Array,
  pieceBytes: number,
  log: DiagnosticLog,
  encoding?: Encoding,
): Promise<Bc3Entry[]> {
  const { entries } = await openBc3(inPieces('broken.bc3', bytes, pieceBytes), { log, encoding })
  const found: Bc3Entry[] = []
  for await (const batch of entries) found.push(...batch)
  return found
}

function mutated(seeds: readonly Uint8Array[], seed: number, mutations: readonly Mutation[]): Buffer {
  let bytes = Buffer.from(seeds[seed] as Uint8Array)
  for (const mutation of mutations) bytes = mutate(bytes, mutation, seeds).subarray(0, INPUT_BYTES_MAX)
  return bytes
}

function mutate(bytes: Buffer, mutation: Mutation, seeds: readonly Uint8Array[]): Buffer<ArrayBuffer> {
  const place = (share: number) => Math.floor(share * bytes.length)
  switch (mutation.do) {
    case 'insert': {
      const at = place(mutation.at)
      const inserted = Buffer.from(mutation.token.repeat(mutation.times), 'latin1')
      return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at)])
    }
    case 'splice': {
      const other = seeds[mutation.seed] as Uint8Array
      const from = Math.floor(mutation.from * other.length)
      const at = place(mutation.at)
      return Buffer.concat([bytes.subarray(0, at), other.subarray(from, from + mutation.length), bytes.subarray(at)])
    }
    case 'wide':
      return Buffer.from(bytes.toString('latin1'), 'utf16le')
    default: {
      const at = place(mutation.at)
      const [before, taken, after] = [
        bytes.subarray(0, at),
        bytes.subarray(at, at + mutation.length),
        bytes.subarray(at + mutation.length),
      ]
      if (mutation.do === 'delete') return Buffer.concat([before, after])
      if (mutation.do === 'repeat') return Buffer.concat([before, taken, taken, taken, after])
      if (mutation.do === 'blank') return Buffer.concat([before, Buffer.alloc(taken.length, ' '), after])
      if (mutation.do === 'flip') return Buffer.concat([before, taken.map((byte, i) => byte ^ (1 << (i % 8))), after])
      const rest = Buffer.concat([before, after])
      const to = Math.floor(mutation.to * rest.length)
      return Buffer.concat([rest.subarray(0, to), taken, rest.subarray(to)])
    }
  }
}

/** Files of ours that use every record: a small bank, a bill with chapters, nested recipes and circular recipes. */
export function ownSeeds(): Uint8Array[] {
  const bank = readFileSync(new URL('./every-record.bc3', import.meta.url))
  const nested = Array.from(
    { length: 60 },
    (_, n) => `~C|N${n}|u|Level ${n}|||0|\n~D|N${n}|N${n + 1}\\1\\1.5\\%N\\\\0.1\\|\n`,
  )
  const circle = '~C|A|u|a|1||\n~D|A|B\\\\1\\|\n~C|B|u|b|1||\n~D|B|C\\\\1\\A\\\\2\\|\n~D|C|C\\\\1\\A\\\\1\\|\n'
  const texts = [`~V|a|FIEBDC-3/95|b|\n${nested.join('')}`, circle, '']
  return [bank, ...texts.map((text) => Buffer.from(text, 'latin1'))]
}

/** A bank of about `bytes` bytes, one piece at a time and never whole: readers must release what they have read. */
export function endlessBank(bytes: number): ByteSource {
  return {
    name: 'endless.bc3',
    async *open() {
      yield Buffer.from('~V|Ours|FIEBDC-3/2020\\20112026|catalog||ANSI|1|1|\r\n~K|2\\2\\3\\3\\2\\2\\2\\2\\EUR\\|3|\r\n')
      for (let made = 0, n = 0; made < bytes; ) {
        let piece = ''
        while (piece.length < PIECE_CHARS) {
          n += 1
          piece += `~C|K${n}|m2|Fábrica de ladrillo número ${n}, de 1/2 pie|${n % 1_000}.25|201126|0|\r\n`
          piece += `~T|K${n}|Fábrica de ladrillo cerámico hueco, recibida con mortero de cemento, según norma ${n}.|\r\n`
          piece += `~D|K${n}|M${n % 977}\\1.05\\${n % 97}.5\\O001\\1\\0.35\\%CI\\\\0.03\\|\r\n`
          piece += `~M|01#\\K${n}|1\\${n}\\|${n}.5|\\Planta baja\\1\\${n % 40}.2\\3\\\\\\Planta primera\\2\\4\\5\\\\|\r\n`
        }
        const encoded = Buffer.from(piece, 'latin1')
        made += encoded.length
        yield encoded
      }
    },
    whole: async () => Buffer.alloc(0),
  }
}
const PIECE_CHARS = 65_536
