import { gzipSync } from 'node:zlib'
import { withCheckDigit } from '@catalog/formats/mapping/text-checks.ts'

/** The shop's publications: the same products as pages, categories, sitemaps, a merchant feed and APIs. */
export type ShopPages = Readonly<{
  products: readonly ShopProduct[]
  /** By path with query; undefined where there is none. */
  find: (path: string) => ShopPage | undefined
  /** Changes a product's price or day of change in every publication. */
  change: (path: string, changes: Partial<Pick<ShopProduct, 'price' | 'changedOn'>>) => void
  /** Removes a product's page while sitemaps and lists still name it. */
  remove: (path: string) => void
  /** Replaces a page of the shop by the test's own. */
  put: (path: string, page: Partial<ShopPage> & Readonly<{ body: string | Buffer }>) => void
}>
export type ShopPage = Readonly<{
  contentType: string
  body: Buffer | string
  lastModified: string
  headers?: Readonly<Record<string, string | string[]>>
  /** 200 without one. */
  status?: number
}>
export type ShopProduct = Readonly<{
  sku: string
  name: string
  /** With tax, in euros, as 12.50. */
  price: string
  gtin: string
  /** As 2026-01-05, or an instant of that day. */
  changedOn: string
  path: string
}>

const SITEMAP_PRODUCTS = 25
const API_PAGE_PRODUCTS = 10
const NAMES = ['Cement CEM II 25 kg', 'Plasterboard 12.5 mm', 'Brick 24x11.5x6.5', 'Tile adhesive C2TE 25 kg']

export function shopPages({ origin, products: count }: { origin: string; products: number }): ShopPages {
  const products = Array.from({ length: count }, (_, index) => productOf(index + 1))
  const pages = new Map<string, () => string | object>([
    ['/', () => page('Shop', links(products))],
    [
      '/categories.html',
      () => page('Categories', `<a href="/about.html">About</a>\n<a href="/category/1.html">All</a>`),
    ],
    ['/about.html', () => page('About', 'Who we are')],
    ['/sitemap.xml', () => sitemapIndex(origin, products)],
    ['/sitemap.xml.gz', () => gzipSync(sitemapIndex(origin, products))],
    ['/all.xml.gz', () => gzipSync(sitemap(origin, products))],
    ['/all.xml', () => sitemap(origin, products)],
    ['/merchant.xml', () => merchantFeed(origin, products)],
    ['/private/costs.html', () => page('Private', 'What we pay')],
    ['/private/open.html', () => page('Open', 'What everybody may know')],
  ])
  for (let n = 1; n <= sitemapsOf(products); n++) {
    const from = (n - 1) * SITEMAP_PRODUCTS
    pages.set(`/sitemaps/${n}.xml`, () => sitemap(origin, products.slice(from, from + SITEMAP_PRODUCTS)))
  }
  const apiPages = Math.ceil(count / API_PAGE_PRODUCTS)
  for (let n = 1; n <= apiPages; n++) {
    pages.set(`/api/products?page=${n}`, () => apiPage(products, n))
    pages.set(`/api/cursor?key=k1${n === 1 ? '' : `&after=c${n}`}`, () => cursorPage(products, n))
    pages.set(`/category/${n}.html`, () => categoryPage(products, n))
  }
  // Empty after the last page, as many APIs answer.
  for (let n = 1; n <= apiPages + 1; n++) pages.set(`/api/counted?page=${n}`, () => apiPage(products, n).products)
  pages.set('/api/products', () => apiPage(products, 1))
  for (const product of products) {
    pages.set(product.path, () => productPage(origin, product))
    // The layout after the relaunch: the same words without a machine-readable offer.
    pages.set(`/new${product.path}`, () =>
      page(product.name, `<b class="p">${product.price.replace('.', ',')} EUR</b>`),
    )
  }
  const own = new Map<string, ShopPage>()
  return {
    products,
    change: (path, changes) => void Object.assign(products.find((each) => each.path === path) ?? {}, changes),
    remove: (path) => void pages.delete(path),
    put: (path, page) => void own.set(path, { contentType: 'text/html', lastModified: dateOf(LAST_CHANGE), ...page }),
    find(path) {
      const content = pages.get(path)?.()
      if (own.has(path) || content === undefined) return own.get(path)
      const product = products.find((each) => each.path === path)
      const lastModified = dateOf(product?.changedOn ?? LAST_CHANGE)
      if (content instanceof Buffer) return { contentType: 'application/gzip', body: content, lastModified }
      if (typeof content === 'object') {
        return { contentType: 'application/json', body: Buffer.from(JSON.stringify(content)), lastModified }
      }
      const contentType = content.startsWith('<?xml') ? 'application/xml' : 'text/html; charset=UTF-8'
      return { contentType, body: Buffer.from(content), lastModified }
    },
  }
}

/** No product changed later unless a test changes it. */
const LAST_CHANGE = '2026-01-31'
const dateOf = (day: string) => new Date(day).toUTCString()

function productOf(n: number): ShopProduct {
  return {
    sku: `S-${String(n).padStart(4, '0')}`,
    name: `${NAMES[n % NAMES.length]} no. ${n}`,
    price: (2 + (n * 137) / 100).toFixed(2),
    gtin: withCheckDigit(String(200_000_000_000 + n)),
    changedOn: `2026-01-${String((n % 28) + 1).padStart(2, '0')}`,
    path: `/products/${n}.html`,
  }
}

const page = (title: string, body: string) =>
  `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>\n<body><h1>${title}</h1>\n${body}\n</body></html>\n`

function productPage(origin: string, { sku, name, price, gtin, path }: ShopProduct): string {
  const offer = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    sku,
    name,
    gtin13: gtin,
    offers: {
      '@type': 'Offer',
      url: `${origin}${path}`,
      price,
      priceCurrency: 'EUR',
      availability: 'https://schema.org/InStock',
    },
  }
  const script = `<script type="application/ld+json">${JSON.stringify(offer)}</script>`
  return page(name, `${script}\n<p class="price">${price} EUR</p>`)
}

const sitemapsOf = (products: readonly ShopProduct[]) => Math.ceil(products.length / SITEMAP_PRODUCTS)
const SITEMAPS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

function sitemapIndex(origin: string, products: readonly ShopProduct[]): string {
  const entries = Array.from({ length: sitemapsOf(products) }, (_, index) => {
    const url = `${origin}/sitemaps/${index + 1}.xml`
    return `<sitemap><loc>${url}</loc><lastmod>2026-01-31</lastmod></sitemap>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex ${SITEMAPS}>\n${entries.join('')}</sitemapindex>\n`
}

function sitemap(origin: string, products: readonly ShopProduct[]): string {
  const entries = products.map(
    ({ path, changedOn }) => `<url><loc>${origin}${path}</loc><lastmod>${changedOn}</lastmod></url>\n`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${SITEMAPS}>\n${entries.join('')}</urlset>\n`
}

function merchantFeed(origin: string, products: readonly ShopProduct[]): string {
  const items = products.map(
    ({ sku, name, price, gtin, path }) =>
      `<item><g:id>${sku}</g:id><g:title>${name}</g:title><g:link>${origin}${path}</g:link>` +
      `<g:price>${price} EUR</g:price><g:gtin>${gtin}</g:gtin></item>\n`,
  )
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>\n' +
    `<title>Shop</title><link>${origin}</link>\n${items.join('')}</channel></rss>\n`
  )
}

const links = (products: readonly ShopProduct[]) =>
  products.map(({ path, name }) => `<a href="${path}">${name}</a>`).join('\n')

const pageOf = (products: readonly ShopProduct[], n: number) =>
  products.slice((n - 1) * API_PAGE_PRODUCTS, n * API_PAGE_PRODUCTS)
const isLastPage = (products: readonly ShopProduct[], n: number) => n * API_PAGE_PRODUCTS >= products.length

/** A page of a list that links to the next one. */
function categoryPage(products: readonly ShopProduct[], n: number): string {
  const next = isLastPage(products, n) ? '' : `<a rel="next" href="/category/${n + 1}.html">More</a>`
  return page(`Page ${n}`, `${links(pageOf(products, n))}\n${next}`)
}

/** A page requested with a key and the previous page's cursor. */
function cursorPage(products: readonly ShopProduct[], n: number): object {
  const cursor = isLastPage(products, n) ? null : `c${n + 1}`
  return { data: { items: apiPage(products, n).products }, meta: { next: cursor } }
}

function apiPage(products: readonly ShopProduct[], n: number) {
  const page = pageOf(products, n)
  const isLast = isLastPage(products, n)
  return {
    products: page.map(({ sku, name, price, gtin }) => ({
      sku,
      name,
      price: { amount: price, currency: 'EUR' },
      gtin,
    })),
    total: products.length,
    next: isLast ? null : `/api/products?page=${n + 1}`,
  }
}
