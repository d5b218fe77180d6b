import { BadBill, BILL_FORMATS, type BillFormat } from '@catalog/api/bills/bill-file.ts'
import { type Bills, type LineChoice, searchesOf, withEqualLines } from '@catalog/api/bills/bills.ts'
import { Markups, type PricedBill } from '@catalog/api/bills/priced-bill.ts'
import { LINES_MAX, MatchRequest } from '@catalog/api/contract/contract.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import { ASSETS } from '@catalog/explorer/pages/assets.ts'
import type { Page } from '@catalog/explorer/pages/frame.ts'
import type { View } from '@catalog/explorer/pages/view.ts'
import { askBillPage, BILL_BYTES_MAX, billPage } from '@catalog/explorer/views/bill.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'

/** A bill comes as a form: a file at first, then the same file with its sealed answers and a person's choices. */

/** A file in base64, the sealed answers, some choices for all, and two fields for each line. */
export const BILL_FORM = {
  fileSize: BILL_BYTES_MAX,
  files: 1,
  fieldSize: 6 * 1024 ** 2,
  fieldNameSize: 32,
  fields: 2 * LINES_MAX + 10,
  parts: 2 * LINES_MAX + 11,
} as const
/** The whole form: the two large fields, and the texts of some hundred lines. */
export const BILL_BODY_BYTES_MAX = 10 * 1024 ** 2

export type BillAnswer =
  | Readonly<{ page: Page; market: string | undefined }>
  | Readonly<{ download: Buffer; type: string; name: string }>

type Form = Readonly<{ fields: ReadonlyMap<string, string>; upload: { name: string; bytes: Buffer } | undefined }>

/**
 * Prices an uploaded bill, applies the choices of a form, or makes a download of it. `viewOf` is the view of a market. Throws
 * BadBill, the errors of limits, and those of the form.
 */
export async function answerBill(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { bills, viewOf }: { bills: Bills; viewOf: (market: string | undefined) => View },
): Promise<BillAnswer> {
  const form = await formOf(request)
  const { bill: given, file } = await billOf(form, { bills, count: (lines) => count(request, reply, lines) })
  const choices = withEqualLines(given, choicesOf(form, given))
  if (choices.size > 0) await count(request, reply, choices.size)
  const { bill, unknownIds } = await bills.correct(given, choices, choiceOf(Markups, form.fields))
  const format = BILL_FORMATS.find((known) => known === form.fields.get('download'))
  if (format !== undefined) return downloadOf(bill, { format, bytes: await bills.download(bill, { format, file }) })
  const market = bill.region ?? undefined
  return { page: billPage(viewOf(market), { bill, sealed: await bills.seal(bill), file, unknownIds }), market }
}

/** The page itself counts as one search. */
async function count(request: FastifyRequest, reply: FastifyReply, lines: number): Promise<void> {
  const further = searchesOf(lines) - 1
  if (further > 0) await request.countSearches(reply, further)
}

async function formOf(request: FastifyRequest): Promise<Form> {
  const fields = new Map<string, string>()
  let upload: Form['upload']
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') fields.set(part.fieldname, String(part.value))
      // Other files are read to their end and dropped.
      else if (part.fieldname === 'bill') upload = { name: nameOf(part.filename), bytes: await part.toBuffer() }
      else part.file.resume()
    }
  } catch (error) {
    if (TOO_LARGE.has((error as { code?: string }).code ?? '')) throw error
    // Too many parts, no boundary, or a form that ends in the middle.
    throw new BadBill('expected a whole form with one file', { problem: 'altered', cause: error })
  }
  return { fields, upload }
}

const TOO_LARGE: ReadonlySet<string> = new Set(['FST_REQ_FILE_TOO_LARGE', 'FST_ERR_CTP_BODY_TOO_LARGE'])

const NAME_CHARS_MAX = 120
const nameOf = (given: string) => given.replace(/^.*[/\\]/, '').slice(-NAME_CHARS_MAX) || 'bill'

async function billOf(
  { fields, upload: given }: Form,
  { bills, count }: { bills: Bills; count: (lines: number) => Promise<void> },
): Promise<{ bill: PricedBill; file: Buffer }> {
  const sealed = fields.get('sealed')
  if (sealed !== undefined)
    return { bill: await bills.unseal(sealed), file: Buffer.from(fields.get('file') ?? '', 'base64') }
  const upload = fields.has('example') ? EXAMPLE : given
  if (upload === undefined || upload.bytes.length === 0) throw new BadBill('expected a file', { problem: 'no_lines' })
  const prices = choiceOf(Prices, fields)
  const file = await bills.read(upload)
  await count(file.lines.length)
  return { bill: await bills.price(file, upload.bytes, prices), file: upload.bytes }
}

const EXAMPLE = { name: 'example.csv', bytes: ASSETS.exampleBill.bytes }

/** What the form says for all lines. */
function choiceOf<T>(schema: z.ZodType<T>, fields: Form['fields']): T {
  const given = [...fields].filter(([, value]) => value.trim() !== '')
  const { data, error } = schema.safeParse(Object.fromEntries(given))
  if (data !== undefined) return data
  const [issue] = error?.issues ?? []
  throw new BadBill(`${issue?.path.join('.')}: ${issue?.message}`, { problem: 'bad_choice' })
}
const Prices = MatchRequest.pick({ region: true, as_of: true, price_source: true })

/** An item by its id, also within the address of its page. */
const ITEM_ID = /\bci_[A-Za-z0-9_-]{1,97}\b/

/** Words win over a chosen item: a person typed them last. A button wins over both. */
function choicesOf({ fields }: Form, { lines }: PricedBill): Map<number, LineChoice> {
  const choices = new Map<number, LineChoice>()
  const [taken, undone] = [fields.get('take'), fields.get('undo')]
  for (const at of lines.keys()) {
    const words = (fields.get(`words-${at}`) ?? '').trim()
    const chosen = words === '' ? (fields.get(`choice-${at}`) ?? '') : (ITEM_ID.exec(words)?.[0] ?? '')
    if (chosen !== '') choices.set(at, { itemId: chosen === 'none' ? null : chosen })
    else if (words !== '') choices.set(at, { words: words.slice(0, WORDS_CHARS_MAX) })
  }
  if (taken !== undefined) choices.set(Number.parseInt(taken, 10), { itemId: ITEM_ID.exec(taken)?.[0] ?? null })
  if (undone !== undefined) choices.set(Number(undone), { undo: true })
  return choices
}
/** As long as a line. */
const WORDS_CHARS_MAX = 512

const TYPES: Readonly<Record<BillFormat, string>> = {
  bc3: 'application/octet-stream',
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

function downloadOf({ name }: PricedBill, { format, bytes }: { format: BillFormat; bytes: Buffer }): BillAnswer {
  const base = name.replace(/\.[^.]*$/, '').replace(/[^A-Za-z0-9._-]+/g, '_')
  return { download: bytes, type: TYPES[format], name: `${base || 'bill'}-priced.${format}` }
}

/** A notice for a bill that cannot be priced now; undefined for another error. */
export function billNotice(view: View, error: unknown): { page: Page; status: number } | undefined {
  const { say } = view
  if (error instanceof BadBill) {
    const notice = { text: say(`bill_${error.problem}`, { lines: LINES_MAX }), detail: error.message }
    return { page: askBillPage(view, notice), status: 400 }
  }
  if (error instanceof ApiError && error.code === 'invalid_parameter')
    return { page: askBillPage(view, { text: say('bill_bad_choice'), detail: error.message }), status: 400 }
  if (TOO_LARGE.has((error as { code?: string }).code ?? ''))
    return { page: askBillPage(view, { text: say('bill_too_large', { size: '2 MB' }) }), status: 413 }
  return undefined
}

/** A notice where the reader must wait: a repeated GET would not repeat the upload. */
export const billLater = (view: View, seconds: number): Page =>
  askBillPage(view, { text: view.say('billLater', { seconds }) })
