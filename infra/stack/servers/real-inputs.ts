import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isBroken } from '@catalog/formats/bytes/record.ts'
import { readCsv } from '@catalog/formats/tables/csv.ts'
import { answerOf } from './command.ts'

/**
 * The folder of real inputs: REAL_INPUTS_DIR, by default ../shared/data beside the repository; null when there is none.
 * Throws when the variable is set and the folder is missing, because somebody counts on it.
 */
export function realInputsFolder(): string | null {
  const asked = process.env.REAL_INPUTS_DIR
  const folder = resolve(import.meta.dirname, '../../..', asked || '../shared/data')
  if (existsSync(folder)) return folder
  if (asked) throw new Error(`REAL_INPUTS_DIR=${asked}: expected a folder of real inputs, ${folder} is missing`)
  return null
}

/** Catalogues of one price list in six markets; file names begin with these. */
export const CATALOGUES = [
  { file: 'DDC_CWICR_UK_GBP', region: 'GB', currency: 'GBP', lang: 'en' },
  { file: 'DDC_CWICR_USA_USD', region: 'US', currency: 'USD', lang: 'en' },
  { file: 'DDC_CWICR_SP_BARCELONA', region: 'ES', currency: 'EUR', lang: 'es' },
  { file: 'DDC_CWICR_DE_BERLIN', region: 'DE', currency: 'EUR', lang: 'de' },
  { file: 'DDC_CWICR_FR_PARIS', region: 'FR', currency: 'EUR', lang: 'fr' },
  { file: 'DDC_CWICR_PT_SAOPAULO', region: 'BR', currency: 'BRL', lang: 'pt' },
] as const
export type Catalogue = (typeof CATALOGUES)[number]

export type Account = Readonly<{
  input: string
  /** Records of the file, counted without our reader: lines of a catalogue, concepts of a price bank. */
  records: number
  read: number
  appended: number
  duplicates: number
  parked: number
  complete: boolean
}>

export type RealInputsReport = Readonly<{
  accounts: readonly Account[]
  status: { seq: number; counts: Record<string, number>; projections: { name: string; lag: number }[] }
  verify: { ok: boolean; checks: readonly { name: string; ok: boolean; first_difference: string | null }[] }
}>

/** The prices of both sets are old: one date for all, and a run within their validity. */
const OBSERVED_AT = '2025-01-05'
const AS_OF = '2025-01-06'
/** A catalogue of 7,000 resources takes some 20 s on two idle cores. */
const TIMEOUT_MS = 600_000

/**
 * Crawls catalogues and every BC3 file into one data folder by the command itself, makes a run and proves the tables.
 */
export async function crawlRealInputs({
  folder,
  data,
  catalogues,
}: {
  folder: string
  data: string
  catalogues: readonly Catalogue[]
}): Promise<RealInputsReport> {
  const options = { data, timeoutMs: TIMEOUT_MS }
  const accounts: Account[] = []
  const crawl = async (paths: readonly string[], args: readonly string[]) => {
    const command = ['crawl', ...paths, '--observed-at', OBSERVED_AT, '--kind', 'bank', ...args]
    const { inputs } = (await answerOf(command, options)) as { inputs: CrawlReport[] }
    for (const { input, read, appended, duplicates, parked, complete } of inputs) {
      const parkedInAll = Object.values(parked).reduce((sum, count) => sum + count, 0)
      const records = /\.csv$/i.test(input) ? recordsOfCsv(input) : conceptsOfBc3(input)
      accounts.push({ input, records, read, appended, duplicates, parked: parkedInAll, complete })
    }
  }
  mkdirSync(data, { recursive: true })
  const mapping = join(data, 'mapping.json')
  writeFileSync(mapping, JSON.stringify(CATALOGUE_MAPPING))
  for (const { file, region, currency, lang } of catalogues) {
    const path = fileBeginning(join(folder, 'cwicr'), file)
    const market = ['--source', `Resource bank ${region}`, '--region', region, '--currency', currency, '--lang', lang]
    await crawl([path], ['--mapping', mapping, ...market])
  }
  const banks = readdirSync(join(folder, 'bc3')).filter((name) => /\.bc3$/i.test(name))
  const paths = banks.sort().map((name) => join(folder, 'bc3', name))
  // A file of measurements alone has nothing to record, which ends a crawl with 1.
  await crawl(
    paths.filter((path) => conceptsOfBc3(path) > 0),
    ['--region', 'ES', '--currency', 'EUR'],
  )
  await answerOf(['aggregate', '--as-of', AS_OF], options)
  return {
    accounts,
    status: (await answerOf(['status'], options)) as RealInputsReport['status'],
    verify: (await answerOf(['verify'], options)) as RealInputsReport['verify'],
  }
}

type CrawlReport = Readonly<
  Omit<Account, 'parked' | 'records'> & { parked: Readonly<Record<string, number>>; crawl_id: string }
>

const CATALOGUE_MAPPING = {
  columns: {
    vendor_ref: ['resource_code', 'type'],
    name: 'name',
    unit: 'unit',
    price: 'price_median',
    category_path: ['parent_category', 'parent_collection', 'parent_department', 'parent_section'],
  },
}

function fileBeginning(folder: string, start: string): string {
  const found = readdirSync(folder).find((name) => name.startsWith(start))
  if (found === undefined) throw new Error(`${folder}: expected a file whose name begins with ${start}`)
  return join(folder, found)
}

/** Lines outside quotes, without the heading. */
function recordsOfCsv(path: string): number {
  const text = readFileSync(path, 'utf8')
  let [lines, isQuoted] = [0, false]
  for (const character of text.endsWith('\n') ? text : `${text}\n`) {
    if (character === '"') isQuoted = !isQuoted
    else if (character === '\n' && !isQuoted) lines++
  }
  return lines - 1
}

/** Records of the kind ~C. */
function conceptsOfBc3(path: string): number {
  return readFileSync(path, 'latin1').match(/^\s*~C\s*\|/gm)?.length ?? 0
}

/** The rows of a catalogue of the folder, by its headings. */
export async function* catalogueRows(folder: string, { file }: Pick<Catalogue, 'file'>) {
  const name = readdirSync(join(folder, 'cwicr')).find((each) => each.startsWith(file)) as string
  const text = readFileSync(join(folder, 'cwicr', name), 'utf8').replace(/^\ufeff/, '')
  async function* pieces() {
    yield text
  }
  for await (const batch of readCsv(pieces(), { name, delimiter: ',' })) {
    for (const record of batch) {
      if (isBroken(record)) throw new Error(`${record.position}: ${record.detail}`)
      yield record.fields
    }
  }
}

/** Broken expectations of a report as sentences; none when all hold. */
export function faultsOf({ accounts, status, verify }: RealInputsReport): string[] {
  const sum = (key: 'appended' | 'parked') => accounts.reduce((total, account) => total + account[key], 0)
  return [
    ...accounts.flatMap(({ input, records, read, appended, duplicates, parked, complete }) => [
      ...(read === appended + duplicates + parked ? [] : [`${input}: read ${read}, accounted for others`]),
      ...(records === read ? [] : [`${input}: ${records} records, read ${read}`]),
      ...(complete ? [] : [`${input}: not read to its end`]),
    ]),
    ...(sum('appended') > 0 && status.counts.observations === sum('appended')
      ? []
      : [`observations ${status.counts.observations}`]),
    ...(status.counts.parked === sum('parked') ? [] : [`parked ${status.counts.parked}`]),
    ...(status.seq > 0 && (status.counts.items_priced ?? 0) > 0 ? [] : ['nothing published']),
    ...status.projections.flatMap(({ name, lag }) => (lag > 0 ? [`${name} lags by ${lag}`] : [])),
    ...verify.checks.flatMap(({ name, ok, first_difference }) => (ok ? [] : [`verify ${name}: ${first_difference}`])),
  ]
}
