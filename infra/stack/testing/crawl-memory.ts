import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { crawl } from '@catalog/crawler/ingest/crawl.ts'

/**
 * `node crawl-memory.ts [BYTES]` generates a CSV of that many bytes (default 1 GB), crawls it into a log that only
 * counts, and prints JSON: records, records per second, and the peak resident size of the process in MB.
 */
const BYTES_DEFAULT = 1_000_000_000
const ROWS_PER_CHUNK = 2_000

/**
 * Rows of a price list: every 1,000th repeats the row before, every 1,001st contradicts it, every 1,003rd is broken.
 */
export function* priceList(bytesMin: number): Generator<string> {
  let bytes = 0
  for (let row = 0; bytes < bytesMin; ) {
    let chunk = row === 0 ? 'codigo;nombre;unidad;precio;moneda;fecha;familia\n' : ''
    for (let end = row + ROWS_PER_CHUNK; row < end; row++) {
      const of = row % 1000 === 0 || row % 1001 === 0 ? Math.max(0, row - 1) : row
      const name = `Ladrillo cerámico hueco doble de ${of % 97} cm${row % 1001 === 0 ? ' (otro)' : ''}`
      const price = `${1 + (of % 900)},${String(of % 100).padStart(2, '0')}`
      chunk +=
        row % 1003 === 0
          ? `REF-${row};sin precio\n`
          : `REF-${of};${name};ud;${price};EUR;03/11/2026;Fábricas > Ladrillos\n`
    }
    bytes += Buffer.byteLength(chunk)
    yield chunk
  }
}

async function measure(bytes: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'crawl-memory-'))
  try {
    const path = join(folder, 'prices.csv')
    // A process of its own generates the file, so that the peak is the crawl's alone.
    await promisify(execFile)(process.execPath, [import.meta.filename, String(bytes), path])
    const begun = performance.now()
    let events = 0
    const [report] = await crawl([{ path, options: { source: 'Generated', region: 'ES' } }], {
      log: {
        async append(_topic, appended) {
          events += appended.length
        },
      },
      now: () => new Date(),
      newCrawlId: () => 'memory',
      spoolDir: folder,
      registeredSources: async () => new Set(),
    })
    const seconds = (performance.now() - begun) / 1000
    const { read, appended, duplicates, parked } = report ?? { read: 0, appended: 0, duplicates: 0, parked: {} }
    const result = {
      bytes,
      read,
      appended,
      duplicates,
      parked,
      events,
      seconds: Math.round(seconds),
      records_per_second: Math.round(read / seconds),
      // Linux reports KiB.
      rss_peak_mb: Math.round((process.resourceUsage().maxRSS * 1024) / 1e6),
    }
    process.stdout.write(`${JSON.stringify(result)}\n`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const [bytes = BYTES_DEFAULT, into] = process.argv.slice(2)
  if (into === undefined) await measure(Number(bytes))
  else await pipeline(Readable.from(priceList(Number(bytes))), createWriteStream(into))
}
