import { withCheckDigit } from '@catalog/formats/mapping/text-checks.ts'

/** Items of a generated feed per write: some hundred kilobytes. */
const ITEMS_PER_CHUNK = 200

/**
 * A merchant feed of at least so many bytes, as shops for building materials write them. An item has about 1.2 kB, with
 * marked-up descriptions, shipping and unused fields. Every 1,000th item repeats its predecessor, every 1,001st
 * contradicts it, and every 1,003rd has no price. The same length gives the same bytes.
 */
export function* merchantFeed(bytesMin: number): Generator<string> {
  yield HEAD
  let bytes = HEAD.length
  for (let item = 1; bytes < bytesMin; ) {
    let chunk = ''
    for (const end = item + ITEMS_PER_CHUNK; item < end; item++) chunk += itemOf(item)
    bytes += Buffer.byteLength(chunk)
    yield chunk
  }
  yield '</channel></rss>\n'
}

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<rss xmlns:g="http://base.google.com/ns/1.0" version="2.0">
  <channel>
    <title>Materiales del Sur</title>
    <link>https://shop.example/</link>
    <language>es-ES</language>
    <lastBuildDate>Mon, 02 Nov 2026 04:00:00 GMT</lastBuildDate>
`

const FAMILIES = ['Cementos', 'Ladrillos', 'Aislamiento', 'Pavimentos', 'Fontanería', 'Pinturas', 'Carpintería']
const BRANDS = ['Roca', 'Knauf', 'Grupo Puma', 'Ursa', 'Weber', 'Pladur', 'Tarima & Hogar']

function itemOf(number: number): string {
  const isRepeated = number % 1_000 === 0
  const isContradicted = number % 1_001 === 0
  const n = isRepeated || isContradicted ? number - 1 : number
  const family = FAMILIES[n % FAMILIES.length]
  const brand = (BRANDS[n % BRANDS.length] as string).replace('&', '&amp;')
  const price =
    number % 1_003 === 0 ? '' : `<g:price>${1 + (n % 900)}.${String(n % 100).padStart(2, '0')} EUR</g:price>`
  const page = `https://shop.example/materiales/${n % 50}/articulo-${n}`
  return `    <item>
      <g:id>MS-${String(n).padStart(8, '0')}</g:id>
      <g:title>${family} ${brand} n.º ${n % 997}, saco de ${5 * (1 + (n % 6))} kg${isContradicted ? ' (oferta)' : ''}</g:title>
      <g:description>Artículo para obra nueva y reforma: fácil aplicación, secado rápido y acabado duradero. Rendimiento aproximado de ${1 + (n % 9)} m² por unidad con espesor de ${2 + (n % 4)} mm &amp; adherencia según EN 12004. Consulte la ficha técnica antes de su uso.</g:description>
      <g:link>${page}?ref=feed&amp;utm_source=merchant</g:link>
      <g:image_link>${page}/imagen.jpg</g:image_link>
      <g:additional_image_link>${page}/imagen-2.jpg</g:additional_image_link>
      <g:availability>in_stock</g:availability>
      <g:condition>new</g:condition>
      ${price}
      <g:brand>${brand}</g:brand>
      <g:gtin>${withCheckDigit(`84${String(n).padStart(10, '0')}`)}</g:gtin>
      <g:mpn>${brand.slice(0, 2).toUpperCase()}-${n % 100_000}</g:mpn>
      <g:product_type>Construcción &gt; ${family} &gt; Sacos</g:product_type>
      <g:google_product_category>505300</g:google_product_category>
      <g:unit_pricing_measure>${5 * (1 + (n % 6))} kg</g:unit_pricing_measure>
      <g:shipping>
        <g:country>ES</g:country>
        <g:service>Estándar</g:service>
        <g:price>4.95 EUR</g:price>
      </g:shipping>
      <g:shipping_weight>${5 * (1 + (n % 6))} kg</g:shipping_weight>
      <g:custom_label_0>temporada</g:custom_label_0>
    </item>
`
}
