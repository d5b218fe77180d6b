import { readFile } from 'node:fs/promises'
import type { EntryPoint, Paging } from '@catalog/crawler/sources/sources-file.ts'
import { JSON_CHARS_MAX, readJson } from '@catalog/formats/tables/json.ts'
import type { Body, Bringer, Bringing, Brought } from './frontier.ts'
import { secured } from './gather-pages.ts'

type Api = Extract<EntryPoint, { kind: 'api' }>

/** Longest page, as its reader has it; an API that pages at all has some thousand records on one. */
const API_BYTES_MAX = JSON_CHARS_MAX

/**
 * The pages of a JSON API, one after the other, since each tells where the next one is or that it is the last. `conditions`
 * are those of the first. What the first came to is returned.
 *
 * A chain that leads back to where it has been, or brings the same bytes again, ends there. Where a number counts up, that
 * is how some APIs say that there is no more, as others answer 404; elsewhere pages are missing.
 */
export async function gatherApi(
  { url: address, records, paging }: Api,
  { conditions, bringer }: Readonly<{ conditions: Omit<Bringing, 'bytesMax'>; bringer: Bringer }>,
): Promise<Brought> {
  const isCounted = paging?.kind === 'page'
  const asked = new Set<string>()
  const digests = new Set<string>()
  let first: Brought | null = null
  let url: URL | null = isCounted ? withParameter(address, paging.parameter, paging.from) : new URL(address)
  while (url !== null && !asked.has(url.href) && bringer.admit(url.href)) {
    asked.add(url.href)
    const brought = await bringer.bring(url.href, { bytesMax: API_BYTES_MAX, ...(first === null && conditions) })
    const isFirst = first === null
    first ??= brought
    if (brought.status === 'gone' && (isFirst || !isCounted)) bringer.cut('GONE', brought.sentence)
    if (brought.status === 'missed') bringer.cutAlready()
    if (brought.status !== 'came') return first
    const { body } = brought
    if (digests.has(body.sha256)) {
      const detail = `${url.href}: the same bytes as a page before, expected others`
      if (isCounted) bringer.problem('PAGES_REPEAT', detail)
      else bringer.cut('PAGES_REPEAT', detail)
      await bringer.leave(body, { isSettled: false })
      return first
    }
    digests.add(body.sha256)
    const text = (await readFile(body.file, 'utf8')).replace(/^\ufeff/, '')
    const page = paging === undefined ? undefined : jsonOf(text)
    if (isCounted && !isFirst && page !== undefined && !(await hasRecords(text, records))) {
      await bringer.leave(body, { isSettled: true })
      return first
    }
    await bringer.keep(body, { kept: 'document', format: 'json', records: records ?? null })
    bringer.progress(0)
    if (paging === undefined) return first
    if (page === undefined) {
      bringer.cut('NOT_JSON', `${url.href}: expected JSON that tells where the next page is`)
      return first
    }
    url = nextOf(page, { paging, url, body, bringer })
  }
  if (url !== null && asked.has(url.href)) {
    bringer.cut('PAGES_REPEAT', `${url.href}: was asked for before, expected the address of another page`)
  }
  return first ?? { status: 'nothing' }
}

type Reached = Readonly<{ paging: Paging; url: URL; body: Body; bringer: Bringer }>

/** Null after the last page. */
function nextOf(page: unknown, { paging, url, body, bringer }: Reached): URL | null {
  if (paging.kind === 'page') {
    const last = Number(url.searchParams.get(paging.parameter))
    return withParameter(url.href, paging.parameter, last + paging.step)
  }
  const told = valueAt(page, paging.path)
  if (told === undefined || told === null || told === '' || told === false) return null
  if (paging.kind === 'cursor') {
    if (typeof told === 'string' || typeof told === 'number') return withParameter(url.href, paging.parameter, told)
    bringer.cut('BAD_NEXT', `${url.href}: '${paging.path}' is ${typeof told}, expected a text or a number`)
    return null
  }
  const from = new URL(body.url)
  if (typeof told !== 'string' || !URL.canParse(told, body.url)) {
    bringer.cut(
      'BAD_NEXT',
      `${url.href}: '${paging.path}' is ${JSON.stringify(told).slice(0, 200)}, expected an address`,
    )
    return null
  }
  const next = secured(told, from)
  next.hash = ''
  if (next.host === from.host) return next
  bringer.cut('OTHER_HOST', `${url.href}: the next page is ${next.href}, expected one of ${from.host}`)
  return null
}

function withParameter(address: string, parameter: string, value: string | number): URL {
  const url = new URL(address)
  url.searchParams.set(parameter, String(value))
  return url
}

/** What stands at a path of keys and places in arrays, as links.next; undefined where there is nothing. */
function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), value)
}
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** By the rule of the reader; a record that is broken is one. */
async function hasRecords(text: string, records: string | undefined): Promise<boolean> {
  const pieces = async function* () {
    yield text
  }
  for await (const batch of readJson(pieces(), { name: '', records })) {
    if (batch.some((record) => !('endsFile' in record))) return true
  }
  return false
}
