import { openPlaces, type Places, placeOwner } from '@catalog/api/callers/places.ts'
import { documentOf, IMMUTABLE, JSON_TYPE, sendDocument } from '@catalog/api/http/documents.ts'
import type { ApiError } from '@catalog/api/http/errors.ts'
import type { Explorer, PageParts } from '@catalog/api/page-parts.ts'
import { ASSETS } from '@catalog/explorer/pages/assets.ts'
import { type Page, pageOf } from '@catalog/explorer/pages/frame.ts'
import { csvOf, FORMS, type Form, formOf, markdownOf } from '@catalog/explorer/pages/records.ts'
import { urlOf, type View, viewOf } from '@catalog/explorer/pages/view.ts'
import { answerBill, BILL_BODY_BYTES_MAX, BILL_FORM, billLater, billNotice } from '@catalog/explorer/routes/bill.ts'
import { readCategories, readCategory, readChanges, readHome } from '@catalog/explorer/routes/browse.ts'
import {
  type CatalogReader,
  catalogReader,
  nothingThere,
  PageFailure,
} from '@catalog/explorer/routes/catalog-reader.ts'
import { readComparison, readItem, readRecipe } from '@catalog/explorer/routes/items.ts'
import { readSearch, readSuggestions } from '@catalog/explorer/routes/search.ts'
import { robotsText, sitemapIndex, sitemapList } from '@catalog/explorer/routes/sitemap.ts'
import { readSource, readSources } from '@catalog/explorer/routes/sources.ts'
import { askBillPage } from '@catalog/explorer/views/bill.ts'
import { failurePage } from '@catalog/explorer/views/failure.ts'
import type { Markup } from '@catalog/pages/markup.ts'
import multipart from '@fastify/multipart'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * The pages of the catalog for people, at the root of the site. Law: a page shows what the API answers at the addresses
 * that it names, because it reads these within the process; it counts as one request of its reader, or one search.
 */

/** No inline script or style; scripts and fetches of this origin alone. */
const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
const HTML = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY }

type ReadPage = (view: View, read: CatalogReader, request: FastifyRequest) => Promise<Page>

const PAGES: readonly Readonly<{ path: string; read: ReadPage; bucket?: 'search' }>[] = [
  { path: '/search', read: readSearch, bucket: 'search' },
  { path: '/items/:id', read: readItem },
  { path: '/items/:id/recipe', read: readRecipe },
  { path: '/compare', read: readComparison },
  { path: '/categories', read: readCategories },
  { path: '/categories/:id', read: readCategory },
  { path: '/changes', read: readChanges },
  { path: '/bill', read: async (view) => askBillPage(view) },
  { path: '/sources', read: readSources },
  { path: '/sources/:id', read: readSource },
]

/** The pages, and the start page, which programs do not get: for them the root lists addresses. */
export function openExplorer(parts: PageParts): Explorer {
  return {
    async home(request, reply) {
      try {
        await admitted(request, reply, parts)
        return await sendPage(request, reply, { parts, read: readHome })
      } catch (error) {
        return sendFailure(error, request, reply, parts)
      }
    },
    failure: (error, request, reply) => sendFailure(error, request, reply, parts),
    mount: (app) => mountPages(app, parts),
  }
}

function mountPages(app: FastifyInstance, parts: PageParts): void {
  for (const { path, type, bytes } of Object.values(ASSETS)) {
    const document = documentOf(bytes, { 'content-type': type, ...IMMUTABLE })
    app.get(path, HIDDEN, (request, reply) => sendDocument(request, reply, document))
  }
  // A robot that may not read this file reads nothing.
  const robots = documentOf(robotsText(parts.origin), { 'content-type': 'text/plain; charset=utf-8' })
  app.get('/robots.txt', HIDDEN, (request, reply) => sendDocument(request, reply, robots))
  app.register((pages, _options, done) => {
    pages.addHook('onRequest', (request, reply) => admitted(request, reply, parts))
    pages.setErrorHandler((error: FastifyError, request, reply) => sendFailure(error, request, reply, parts))
    for (const { path, read, bucket } of PAGES) {
      const config = bucket === undefined ? {} : { bucket }
      // A path that ends with an id takes the form as a part of it.
      const forms = path.endsWith(':id') ? [] : FORMS.map((form) => `${path}.${form}`)
      for (const address of [path, ...forms])
        pages.get(address, { ...HIDDEN, config }, (request, reply) => sendPage(request, reply, { parts, read }))
    }
    pages.get('/search/suggestions', { ...HIDDEN, config: { bucket: 'search' } }, async (request, reply) => {
      const view = viewOf(request, viewFacts(parts))
      return send(request, reply, await readSuggestions(view, readerOf(request, parts)))
    })
    pages.get('/sitemap.xml', HIDDEN, async (request, reply) =>
      sendXml(request, reply, await sitemapIndex(readerOf(request, parts), parts.origin)),
    )
    pages.get<{ Params: { name: string } }>('/sitemaps/:name', HIDDEN, async (request, reply) => {
      const { origin, itemsByPrefix } = parts
      return sendXml(
        request,
        reply,
        await sitemapList(request.params.name, { read: readerOf(request, parts), origin, itemsByPrefix }),
      )
    })
    mountBill(pages, parts)
    done()
  })
}

/** Takes bills, each in a form of its own size. */
function mountBill(pages: FastifyInstance, parts: PageParts): void {
  pages.register((forms, _options, done) => {
    forms.removeAllContentTypeParsers()
    forms.register(multipart, { limits: BILL_FORM })
    const options = { ...HIDDEN, config: { bucket: 'search' as const }, bodyLimit: BILL_BODY_BYTES_MAX }
    const places = openPlaces(BILL_PLACES)
    forms.post('/bill', options, async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const leave = takePlace(places, request)
      const viewIn = (market?: string) => viewOf(inMarket(request, market), viewFacts(parts))
      try {
        const answer = await answerBill({ request, reply }, { bills: parts.bills, viewOf: viewIn })
        if ('page' in answer) return reply.headers(HTML).send(pageOf(viewIn(answer.market), answer.page))
        return reply
          .headers({ 'content-type': answer.type, 'content-disposition': `attachment; filename="${answer.name}"` })
          .send(answer.download)
      } catch (error) {
        const notice = billNotice(viewIn(), error)
        if (notice === undefined) throw error
        return reply.code(notice.status).headers(HTML).send(pageOf(viewIn(), notice.page))
      } finally {
        leave()
      }
    })
    done()
  })
}

/** Throws the page that asks the reader to wait where no place is left. */
function takePlace(places: Places, request: FastifyRequest): () => void {
  try {
    return places.enter(placeOwner(request))
  } catch (error) {
    const { code, details, retryAfterSeconds } = error as ApiError
    const body = { error: code, details }
    throw new PageFailure({ status: 429, location: undefined, retryAfterSeconds, body }, { cause: error })
  }
}

/** One reader can wait, and cannot keep all others waiting. */
const BILL_PLACES = { of: 'bills', max: 10, perOwner: 2 }

/** The address of a page in a market that a form names. */
function inMarket({ url, headers }: FastifyRequest, market: string | undefined) {
  if (market === undefined) return { url, headers }
  return { url: `${url}${url.includes('?') ? '&' : '?'}price_region=${market}`, headers }
}

/** The API description lists no pages. */
const HIDDEN = { schema: { hide: true } }

/** Counts a page as a request of its reader; throws the error of a full limit. */
function admitted(request: FastifyRequest, reply: FastifyReply, { callers }: PageParts): Promise<void> {
  reply.header('vary', 'Accept, Accept-Language, Accept-Encoding')
  return new Promise((resolve, reject) => {
    callers.admit(request, reply, (refused) => (refused === undefined ? resolve() : reject(refused)))
  })
}

const viewFacts = ({ origin, now }: PageParts) => ({ origin, now: now() })
const readerOf = (request: FastifyRequest, { read }: PageParts): CatalogReader =>
  catalogReader((address) => read(address, { caller: request.caller, ip: request.ip }))

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { parts, read }: { parts: PageParts; read: ReadPage },
): Promise<FastifyReply> {
  const view = viewOf(request, viewFacts(parts))
  const page = await read(view, readerOf(request, parts), request)
  const { form } = formOf(urlOf(request.url, parts.origin).pathname)
  return form === undefined
    ? send(request, reply, pageOf(view, page))
    : sendData(request, reply, { view, page, form, parts })
}

/** What the page is made from, in one of its forms. Throws "not found" for a page without data. */
async function sendData(
  request: FastifyRequest,
  reply: FastifyReply,
  { view, page, form, parts }: { view: View; page: Page; form: Form; parts: PageParts },
): Promise<FastifyReply> {
  const { data, records, title } = page
  if (data === undefined || records === undefined) throw nothingThere()
  if (form === 'json') {
    const { pathname, search } = new URL(data.json)
    const answer = await parts.read(pathname + search, { caller: request.caller, ip: request.ip })
    if (answer.status !== 200) throw new PageFailure(answer)
    return sendDocument(request, reply, documentOf(JSON.stringify(answer.body), { 'content-type': JSON_TYPE }))
  }
  if (form === 'md') {
    const source = `${view.origin}${view.address.pathname}${view.address.search}`
    const text = markdownOf(records, { title, source })
    return sendDocument(request, reply, documentOf(text, { 'content-type': 'text/markdown; charset=utf-8' }))
  }
  const name = view.address.pathname
    .split('/')
    .at(-1)
    ?.replace(/[^\w-]/g, '')
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name || 'catalog'}.csv"`,
  }
  return sendDocument(request, reply, documentOf(csvOf(records), headers))
}

const send = (request: FastifyRequest, reply: FastifyReply, markup: Markup) =>
  sendDocument(request, reply, documentOf(markup, HTML))

const sendXml = (request: FastifyRequest, reply: FastifyReply, markup: Markup) =>
  sendDocument(request, reply, documentOf(markup, { 'content-type': 'application/xml; charset=utf-8' }))

/** Errors as pages in the reader's language; a full limit and an outage say when to come back, and load by themselves. */
function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply, parts: PageParts): FastifyReply {
  const failure = error instanceof PageFailure ? error : parts.failureOf(error as FastifyError, request)
  const view = viewOf(request, viewFacts(parts))
  if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', failure.retryAfterSeconds)
  if (!(failure instanceof PageFailure)) reply.headers(failure.headers)
  const { status, code, details, retryAfterSeconds } = failure
  const isUpload = request.method === 'POST' && retryAfterSeconds !== undefined
  const page = isUpload
    ? billLater(view, retryAfterSeconds)
    : failurePage(view, { status, code, details, retryAfterSeconds, requestId: request.id })
  return reply
    .code(failure.status)
    .headers({ ...HTML, 'cache-control': 'no-store' })
    .send(pageOf(view, page))
}
