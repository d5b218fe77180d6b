import type { Bc3Charset } from '@catalog/formats/bc3/charset.ts'
import type { Bc3Entry } from '@catalog/formats/bc3/entries.ts'
import { DiagnosticLog, openBc3 } from '@catalog/formats/bc3/entry-stream.ts'
import { writeBc3 } from '@catalog/formats/bc3/write.ts'
import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { describe, expect, test } from 'vitest'
import { facts } from './fuzz.ts'
import { bc3Samples } from './samples.ts'

const samples = bc3Samples()
const suite = `real BC3 files${samples.length > 0 ? '' : ' (REAL_INPUTS_DIR: none here)'}`

async function read(bytes: Uint8Array) {
  const log = new DiagnosticLog()
  const { entries, encoding } = await openBc3(bytesSource('sample.bc3', bytes), { log })
  const found: Bc3Entry[] = []
  for await (const batch of entries) found.push(...batch)
  return { entries: found, encoding, log }
}
async function written(entries: readonly Bc3Entry[], charset: Bc3Charset) {
  const log = new DiagnosticLog()
  const pieces: Uint8Array[] = []
  for await (const piece of writeBc3([entries], { charset, log })) pieces.push(piece)
  return { bytes: Buffer.concat(pieces), log }
}

describe.skipIf(samples.length === 0)(suite, () => {
  test.each(samples)('$name says the same after it is written again', async ({ bytes }) => {
    const { entries } = await read(bytes)
    for (const charset of ['UTF-8', 'ANSI', '850', '437'] as const) {
      const { bytes: anew, log } = await written(entries, charset)
      const { entries: again, encoding } = await read(anew)
      expect(encoding.declared).toBe(charset)
      const found = facts(entries[0]?.letter === 'V' ? again : again.slice(1))
      const replaced = new Set(log.kept.map(({ line }) => line))
      expect(log.leftOut).toBe(0)
      // UTF-8 has every character; for other charsets the writer reports what a record lost.
      if (charset === 'UTF-8') expect(replaced).toEqual(new Set())
      const carried = (all: typeof found) => all.filter((_, i) => !replaced.has(entries[i]?.line as number))
      expect(carried(found)).toEqual(carried(facts(entries)))
    }
  })

  test('of a bank in cp850 say the same in UTF-8 and in undeclared windows-1252', async () => {
    const bank = samples.find(({ name }) => name === 'murcia5.bc3')
    const { entries, encoding, log } = await read(bank?.bytes as Buffer)
    expect(encoding).toEqual({ declared: null, used: 'cp850' })
    expect(log.kept).toEqual([])
    const names = entries.flatMap((entry) => (entry.letter === 'C' ? [entry.summary] : []))
    expect(names).toHaveLength(552)
    expect(names.filter((name) => /[áéíóúñÑ]/.test(name)).length).toBeGreaterThan(100)
    // The declared charset's bytes, and nothing else, differ.
    const text = decoded(bank?.bytes as Buffer)
    for (const [used, bytes] of [
      ['utf-8', Buffer.from(text)],
      ['windows-1252', Buffer.from(text, 'latin1')],
    ] as const) {
      const other = await read(bytes)
      expect(other.encoding).toEqual({ declared: null, used })
      expect(other.entries).toEqual(entries)
    }
  })
})

/** Decodes cp850 without our decoder, for the letters that the bank uses. */
function decoded(bytes: Buffer): string {
  const letters = new Map(
    Object.entries({ ü: 0x81, é: 0x82, á: 0xa0, í: 0xa1, ó: 0xa2, ú: 0xa3, ñ: 0xa4, ª: 0xa6, º: 0xa7, '¦': 0xdd }).map(
      ([letter, byte]) => [byte, letter],
    ),
  )
  return Array.from(bytes, (byte) => {
    const letter = byte < 0x80 ? String.fromCharCode(byte) : letters.get(byte)
    if (letter === undefined) throw new Error(`byte ${byte.toString(16)}: expected one of those that are listed`)
    return letter
  }).join('')
}
