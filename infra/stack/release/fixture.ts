import { execFileSync } from 'node:child_process'
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { addressOf, startCatalog } from '@catalog/stack/servers/command.ts'
import { startPostgres } from '@catalog/stack/servers/postgres.ts'

/**
 * `node infra/stack/release/fixture.ts VERSION [CHECKOUT]`: makes a small catalog with the code of a release, and keeps its tables
 * as SQL in fixtures/VERSION.sql.gz, and a mirror of it in fixtures/VERSION.mirror.gz, for the tests that open both with later
 * code. The first line of the SQL says what it holds.
 */
const [version, checkout = resolve(import.meta.dirname, '../../..')] = process.argv.slice(2)
if (version === undefined) throw new Error('expected the version of the code, as in fixtures/0.2.0.sql.gz')

const LISTS = {
  'Materiales Norte': `ref,name,unit,price
C25,Cemento Portland CEM II/B-L 32.5 N saco 25 kg,u,"4,85"
L12,Ladrillo hueco doble 24x11.5x8 cm,u,"0,31"
P13,Placa de yeso laminado 13 mm 1200x2500,u,"8,40"
`,
  'Almacenes Sur': `ref,name,unit,price
100,Cemento Portland CEM II/B-L 32.5 N saco 25 kg,u,"5,10"
101,Ladrillo hueco doble 24x11.5x8 cm,u,"0,29"
102,Arena de rio lavada 0-4 mm,t,"18,50"
`,
}

await using postgres = await startPostgres()
using folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-fixture-'))
const env = { ...process.env, DATABASE_URL: postgres.url, CATALOG_DATA: folder.path, LOG_LEVEL: 'silent' }
const program = join(checkout, 'node_modules/.bin/catalog')
const catalog = (...words: readonly string[]) =>
  execFileSync(process.execPath, [program, ...words, '--json'], {
    env,
    encoding: 'utf8',
  })
for (const observed of ['2026-11-02', '2026-11-09']) {
  for (const [source, list] of Object.entries(LISTS)) {
    const path = join(folder.path, `${source}-${observed}.csv`)
    // A week later the cement is dearer.
    writeFileSync(path, observed === '2026-11-02' ? list : list.replace('4,85', '4,95').replace('5,10', '5,25'))
    catalog('crawl', path, '--source', source, '--region', 'ES', '--currency', 'EUR', '--observed-at', observed)
  }
  catalog('aggregate', '--as-of', `${observed}T12:00:00Z`)
}
catalog('trust', 'Almacenes Sur', '60', '--reason', 'prices of the counter')
catalog('aggregate', '--as-of', '2026-11-10T12:00:00Z')
catalog('workspace', 'create', 'Estimators')
catalog('snapshot')
{
  const served = { data: folder.path, env: { DATABASE_URL: postgres.url }, program }
  await using origin = startCatalog(['serve', '--json', '--port', '0'], served)
  catalog('mirror', `${await addressOf(origin)}/feeds`, '--into', join(folder.path, 'mirror'))
}
const { seq, roots, counts } = JSON.parse(catalog('status')) as Record<string, unknown>
const dump = execFileSync(
  'pg_dump',
  [
    `--dbname=${postgres.url}`,
    '--inserts',
    '--no-owner',
    '--no-privileges',
    '--schema=catalog',
    '--schema=catalog_live',
  ],
  { encoding: 'utf8', maxBuffer: 256 * 1024 ** 2 },
)
// Commands of psql, which pg_dump writes since its last minor versions.
const sql = dump.replaceAll(/^\\(un)?restrict .*\n/gm, '')
const path = join(import.meta.dirname, 'fixtures', `${version}.sql.gz`)
writeFileSync(path, gzipSync(`-- ${JSON.stringify({ version, seq, roots, counts })}\n${sql}`, { level: 9 }))
const mirror = readFileSync(join(folder.path, 'mirror/items.sqlite'))
writeFileSync(path.replace('.sql.gz', '.mirror.gz'), gzipSync(mirror, { level: 9 }))
process.stdout.write(`${path}\n`)
