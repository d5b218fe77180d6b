import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { LINES_MAX, LINES_PER_SEARCH } from '@catalog/api/contract/contract.ts'
import type { ApiContext } from '@catalog/api/http/context.ts'
import type { Finder } from '@catalog/api/search/finder.ts'
import { sha256Hex } from '@catalog/core/digest.ts'
import { regionOf } from '@catalog/core/events/sources.ts'
import { lineKey } from '@catalog/search/ranking/bill-of-materials.ts'
import { withEvidence } from './bill-evidence.ts'
import { BadBill, type BillFile, type BillFormat, type FileLine } from './bill-file.ts'
import { BillReader } from './bill-reader.ts'
import { itemsOfReplica } from './line-items.ts'
import type { openLineTurns } from './line-turns.ts'
import { type AnsweredLine, lineToPrice, priceBill } from './price-bill.ts'
import type { Markups, PriceChoice, PricedBill, PricedLine } from './priced-bill.ts'

/**
 * Bills that people upload. The server keeps none of them: the page carries the file and the sealed answers, and gives them
 * back with each correction and download.
 */
export type Bills = Disposable &
  Readonly<{
    /** Throws BadBill for a file that is no bill of 1 to 500 lines. */
    read(file: UploadedFile): Promise<BillFile>
    /** The answer for each line. Counts nothing: see {@link searchesOf}. Throws invalid_parameter for a choice that has no prices. */
    price(file: BillFile, bytes: Uint8Array, prices: PriceChoice): Promise<PricedBill>
    /** The bill after a person's choices, by the number of the line from 0; see {@link withEqualLines}. */
    correct(bill: PricedBill, choices: LineChoices, markups: Markups): Promise<CorrectedBill>
    /** The priced bill as a file. Throws BadBill unless `file` is the one that was priced. */
    download(bill: PricedBill, given: Readonly<{ format: BillFormat; file: Uint8Array }>): Promise<Buffer>
    seal(bill: PricedBill): Promise<string>
    /** Throws BadBill for a text that this catalog did not seal. */
    unseal(sealed: string): Promise<PricedBill>
  }>

export type UploadedFile = Readonly<{ name: string; bytes: Uint8Array }>

/** An item; null: nothing of the catalog; other words to look for; or the answer before such a choice. */
export type LineChoice = Readonly<{ itemId: string | null }> | Readonly<{ words: string }> | Readonly<{ undo: true }>

export type LineChoices = ReadonlyMap<number, LineChoice>

/** The choices, also for each line that is equal to a chosen one and has no choice of its own: so many lines are answered. */
export function withEqualLines({ lines }: PricedBill, choices: LineChoices): LineChoices {
  const byLine = new Map<string, LineChoice>()
  for (const [at, choice] of choices) {
    const line = lines[at]
    if (line !== undefined) byLine.set(keyOf(line), choice)
  }
  return new Map(
    lines.flatMap((line, at) => {
      const choice = choices.get(at) ?? byLine.get(keyOf(line))
      return choice === undefined ? [] : [[at, choice]]
    }),
  )
}

const keyOf = ({ text, unit, region }: FileLine) => JSON.stringify([text, unit, region])

export type CorrectedBill = Readonly<{
  bill: PricedBill
  /** Ids among the choices that no item has. */
  unknownIds: readonly string[]
}>

/** What pricing the lines counts as. */
export const searchesOf = (lines: number) => Math.ceil(lines / LINES_PER_SEARCH)

/** Candidates of a line beside its item. */
const ALTERNATIVES = 4
const SEAL_SCOPE = ['bill']
/** A sealed bill of the most lines, with the longest names. */
const BILL_JSON_BYTES_MAX = 16 * 1024 ** 2

type BillsContext = Pick<ApiContext, 'store' | 'read' | 'catalogVersion' | 'cursors' | 'baseUrl'> & {
  find: Finder
  lineTurns: ReturnType<typeof openLineTurns>
  now: () => Date
}

export function openBills({ find, lineTurns, cursors, baseUrl, now, ...context }: BillsContext): Bills {
  const items = itemsOfReplica(context)
  const reader = new BillReader()

  /** Answers for the lines, each text or the words that a person asked for instead. */
  async function answersFor(
    lines: readonly FileLine[],
    { words, itemId, ...prices }: PriceChoice & { words?: string; itemId?: string | null },
  ) {
    const asked = lines.map((line) => ({
      ...lineToPrice(line),
      ...(words !== undefined && { text: words, code: null, isCut: false }),
      region: regionOf(line.region ?? '') ?? null,
    }))
    const corrections =
      itemId === undefined ? [] : asked.map(({ text }) => ({ text: lineKey(text), unit: '', region: '', itemId }))
    const request = { lines: asked, ...prices, price_region: prices.region, alternatives: ALTERNATIVES }
    // A network has few bills at a time, so each is an owner of turns.
    const turn = lineTurns(lines)
    const answer = await priceBill({ items, find, corrections, turn, now }, request)
    const own = ({ text }: FileLine) => ({ text, askedText: words ?? null, former: null })
    const answered = lines.map((line, i) => ({ ...line, ...(answer.lines[i] as AnsweredLine), ...own(line) }))
    return { lines: answered, prices: answer.prices }
  }

  return {
    read: (file) => reader.read(file, LINES_MAX),
    async price(file, bytes, choice) {
      const isToday = choice.as_of?.startsWith(now().toISOString().slice(0, 10))
      const asked = { ...choice, ...(isToday && { as_of: null }) }
      const { lines, prices } = await answersFor(file.lines, asked)
      const { name: source = null } = (await items.sources()).find(({ id }) => id === prices.source_id) ?? {}
      const facts = { pricedAt: now().toISOString(), fileSha256: sha256Hex(bytes), asked, prices, source }
      return { ...file, lines, region: regionOf(prices.region ?? '') ?? null, ...facts, markups: {} }
    },
    async correct(bill, choices, markups) {
      const lines = [...bill.lines]
      const unknownIds = new Set<string>()
      // Lines of one choice are answered together.
      for (const chosen of Map.groupBy(choices, ([, choice]) => JSON.stringify(choice)).values()) {
        const known = chosen.filter(([at]) => bill.lines[at] !== undefined)
        const choice = (chosen[0] as [number, LineChoice])[1]
        const former = known.map(([at]) => bill.lines[at] as PricedLine)
        if ('undo' in choice) {
          for (const [i, [at]] of known.entries()) lines[at] = former[i]?.former ?? (former[i] as PricedLine)
          continue
        }
        const answers = await answersFor(former, { ...bill.asked, ...choice })
        for (const [i, [at]] of known.entries()) {
          const answer = answers.lines[i] as PricedLine
          if ('itemId' in choice && choice.itemId !== null && answer.decided_by !== 'correction')
            unknownIds.add(choice.itemId)
          else lines[at] = withOthers(answer, former[i] as PricedLine, choice)
        }
      }
      return { bill: { ...bill, lines, markups }, unknownIds: [...unknownIds] }
    },
    async download(bill, { format, file }) {
      if (sha256Hex(file) !== bill.fileSha256)
        throw new BadBill('expected the file that was priced', { problem: 'altered' })
      const { region, prices } = bill
      const lines = await withEvidence(context.store, bill.lines, { region, price_region: region, prices, baseUrl })
      return reader.download({ bill: { ...bill, lines }, format, file, baseUrl })
    },
    async seal(bill) {
      const packed = (await promisify(deflateRaw)(JSON.stringify(bill))).toString('base64url')
      return `${(await cursors.get()).encode(sha256Hex(packed), SEAL_SCOPE)}.${packed}`
    },
    async unseal(sealed) {
      const [seal = '', packed = ''] = sealed.split('.', 2)
      if (!isSealOf(await cursors.get(), { seal, packed }))
        throw new BadBill('expected a bill as this page sent it', { problem: 'altered' })
      const json = await promisify(inflateRaw)(Buffer.from(packed, 'base64url'), {
        maxOutputLength: BILL_JSON_BYTES_MAX,
      })
      return JSON.parse(json.toString('utf8')) as PricedBill
    },
    [Symbol.dispose]: () => reader[Symbol.dispose](),
  }
}

function isSealOf(
  cursors: Awaited<ReturnType<ApiContext['cursors']['get']>>,
  { seal, packed }: { seal: string; packed: string },
): boolean {
  try {
    return cursors.decode(seal, SEAL_SCOPE) === sha256Hex(packed)
  } catch {
    return false
  }
}

/** The answer with what else the line may mean, so that a person may choose again. */
function withOthers(answer: PricedLine, before: PricedLine, choice: Exclude<LineChoice, { undo: true }>): PricedLine {
  const { item, evidence, alternatives, former } = before
  const chosen = { ...answer, former: former ?? before }
  if ('words' in choice) return chosen
  const all = [...(item === null || evidence === null ? [] : [{ item, evidence }]), ...alternatives]
  return { ...chosen, alternatives: all.filter((other) => other.item.id !== choice.itemId) }
}
