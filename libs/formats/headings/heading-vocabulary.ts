import { foldText } from '@catalog/core/text.ts'
import { MAPPING_KEYS, type MappingKey } from '@catalog/formats/mapping/mapping-keys.ts'

/**
 * Headings of price lists in Spanish, English, Portuguese, French, German and Italian: folded, with single blanks for
 * punctuation, separated by commas. More specific headings come first.
 */
const HEADINGS: Readonly<Record<MappingKey, string>> = {
  vendor_ref: `sku, vendor sku, codigo, cod, codigo articulo, cod articulo, codigo de articulo, codigo producto,
    codigo do produto, codigo do artigo, referencia, ref, reference, article code, item code, product code,
    item number, item no, article number, product id, artikelnummer, artikel nr, art nr, artnr, art no,
    bestellnummer, code article, ref article, reference article, codice, codice articolo, cod art, code, articulo,
    article, part number, resource code, codigo insumo, id`,
  name: `nombre, product name, item name, nombre producto, producto, product, title, titulo, nome, nome do produto,
    produto, denominacion, designation, designacao, bezeichnung, artikelbezeichnung, produktname, artikel, libelle,
    nom, nom du produit, produit, denominazione, prodotto, concepto, resumen, material, insumo, item`,
  description: `descripcion, descripcion larga, long description, descricao, beschreibung, langtext, kurztext, descrizione,
    texto, details, detalle`,
  unit: `unidad, unidad de medida, unidad medida, ud, uds, um, u m, uom, unit of measure, units, unite, unite de mesure,
    einheit, mengeneinheit, me, unita, unita di misura, unidade, unidade de medida, un, und`,
  // The last ones are keys of shop APIs: "prices.price" of WooCommerce, "price.value" of SAP Commerce.
  // A list price comes after the others: a price beside it is the one that the vendor asks.
  price: `precio, precio unitario, precio venta, unit price,
    price median, precio de venta, preco, preco unitario, preco de venda, valor unitario, prix, prix unitaire,
    prix ht, preis, einzelpreis, prezzo, prezzo unitario, precio neto, net price, nettopreis,
    pvp, tarifa, list price, listenpreis, prezzo di listino, importe,
    coste, costo, costo unitario, cost, unit cost, valor, rate, amount, prices price, price value, price current,
    price final, final price, current price, selling price, p v p,
    precio pvp, precio tarifa`,
  currency: `moneda, divisa, moeda, devise, monnaie, wahrung, waehrung, valuta, currency code, prices currency code,
    price currencyiso, price currency`,
  // An unknown heading here would turn the price of a hundred into the price of one.
  per_quantity: `price per, cantidad base, base quantity, price quantity, preiseinheit, pe, unidad precio, unidad de precio,
    precio por, cantidad precio, base precio, unidade de preco, preco por, price basis, price base, preis pro,
    preis je, preisbasis, preismenge, prix pour, base de prix, unita prezzo`,
  min_quantity: 'moq, cantidad minima, minimum quantity, min qty, quantidade minima, quantite minimale, mindestmenge',
  pack_quantity: 'pack qty, pack size, contenido, cantidad envase, verpackungsmenge, contenance',
  pack_unit: 'unidad contenido, unidad envase, verpackungseinheit',
  tax_included: 'iva incluido, vat included, tva incluse, iva inclusa',
  tax_rate: 'iva, tipo iva, vat, vat rate, tva, taux tva, mwst, mwst satz, aliquota iva',
  kind: '',
  // The date of a row ("updated at") is no date of its price.
  observed_at: `fecha, fecha precio, fecha de precio, date, price date, data, data preco, date prix, datum, preisdatum,
    stand, data prezzo, observed`,
  valid_from: `validfrom, valid since, effective from, effective date, start date, price valid from, valido desde, vigente desde, vigencia desde,
    inicio vigencia, inicio de vigencia, fecha inicio vigencia, fecha inicio, fecha de inicio, valido de, valido a partir de,
    vigencia inicio, data inicio, data de inicio, valable du, valable des, valable a partir du, valide du, valide a partir du,
    debut validite, debut de validite, date debut, date de debut, date effet, date d effet, gultig ab, gultig von, gultig seit, gueltig ab,
    gueltig von, preis gultig ab, valido dal, valida dal, validita dal, inizio validita, data inizio validita, data inizio`,
  valid_to: `validto, valid until, validuntil, valid till, valid through, validthrough, price valid until, pricevaliduntil, effective to,
    effective until, expires, expires on, expiry date, expiration date, end date, valido hasta, vigente hasta, vigencia hasta,
    fin vigencia, fin de vigencia, fecha fin vigencia, fecha fin, fecha de fin, valido ate, vigencia fim, fim vigencia, data fim, data de fim,
    valable jusqu au, valable jusque, valide jusqu au, fin validite, fin de validite, date fin, date de fin, gultig bis, gueltig bis,
    preis gultig bis, valido al, valido fino al, valida fino al, validita al, fine validita, data fine validita, data fine`,
  source: '',
  source_id: '',
  source_url: '',
  region: '',
  trust: '',
  validity: '',
  validity_days: '',
  category_path: `categoria, category, familia, categorie, kategorie, warengruppe, famille, famiglia, capitulo, chapter, grupo,
    group`,
  gtin: `ean, ean13, ean 13, ean code, codigo ean, codigo de barras, barcode, code barre, upc, codice a barre`,
  manufacturer_ref: `mpn, referencia fabricante, ref fabricante, ref fabricant, reference fabricant, manufacturer part number,
    manufacturer code, herstellernummer, hersteller nr, codice produttore, ref fabricacao`,
  availability: 'disponibilidad, disponibilidade, disponibilite, verfugbarkeit, disponibilita, stock status',
  cpv: 'cpv code, codigo cpv, code cpv, cpv code 2008',
  url: 'link, enlace, lien, product url, web',
  lang: 'language, idioma, sprache, langue, lingua',
}

/** The headings that name each key, the most specific first; the key itself comes before all others. */
export const KEY_HEADINGS: ReadonlyMap<MappingKey, readonly string[]> = new Map(
  MAPPING_KEYS.map((key) => [key, [key.replaceAll('_', ' '), ...listed(HEADINGS[key])]]),
)

function listed(headings: string): readonly string[] {
  return headings.split(/,\s+/).filter((heading) => heading !== '')
}

/**
 * Headings of the price unit: whole numbers below them are the quantity that a price is for (PEINH of SAP), words its unit.
 * Only the values tell which.
 */
export const PRICE_UNITS: ReadonlySet<string> = new Set(
  listed(`price unit, pricing unit, price per unit of, per, per qty, qty per price, per quantity of, uom qty, uom quantity, priced per,
    price qty, pricing quantity, basis qty, basis quantity, je, pro, preiseinheit, pe, preis pro, preis je, mengeneinheit preis,
    basismenge, por, cada, unidad precio, unidad de precio, precio por, par, unite de prix, unite prix, qte par prix, unidade de preco,
    preco por, unita prezzo, unita di prezzo, prijseenheid, price per`),
)

export const PRICE_HEADINGS: ReadonlySet<string> = new Set(KEY_HEADINGS.get('price'))

const wordsIn = (...words: readonly string[]): ReadonlySet<string> => new Set(words.join(' ').split(/\s+/))
const PRICE = wordsIn(
  'price prices pricing precio precios pvp tarifa preco precos prix tarif preis preise prezzo prezzi cena ceny prijs prijzen pris priser hinta',
)
/** Words beside that of a price. */
const OF_PRICE = wordsIn(
  'importe valor pu ep vk ek rate cost unit unitario unitaria unitaire einzel stuck por per de da du di del la le',
)
const NET = wordsIn(
  'net nett neto neta netto netta nette liquido liquida nettopreis nettoprijs nettopris nettopriser nettocena',
  'final finale finaler endpreis customer cliente client kunden ihr your tu su vuestro vostro votre discounted descontado rebajado bonificado scontato',
  'trade dealer',
)
const AFTER = wordsIn('after with nach mit despues con com depois apres avec dopo po na efter met')
const DISCOUNT = wordsIn(
  'discount discounts disc dto dtos dcto descuento descuentos desc desconto descontos bonif bonificacion rebaja rebate reduction',
  'remise remises rabais ristourne reduction rabatt rabatte rabattsatz nachlass sconto sconti korting kortingen rabat rabatu rabaty',
  'rabacie upust sleva slevy sleve alennus ale kedvezmeny reducere popust',
)
/** Words of something else than how much a discount is. */
const SORTS = wordsIn(
  'group groups gruppe grupo groupe gruppo code codes codigo cod kod class clase classe klasse type tipo typ family familia name nombre',
  'date fecha data datum from until desde hasta von bis start end inicio fin note notes comment',
)

const areAll = (words: string, known: readonly ReadonlySet<string>[]) =>
  words.split(' ').every((word) => known.some((set) => set.has(word)))
const hasOne = (words: string, ...sets: readonly ReadonlySet<string>[]) =>
  words.split(' ').some((word) => sets.some((set) => set.has(word)))

/** "dto 1", "discount percentage", "taux de remise": a discount, and no group of discounts. */
export const isDiscount = (words: string) => {
  const apart = words.replace(/(\p{L})(\d)/gu, '$1 $2')
  return hasOne(apart, DISCOUNT) && !hasOne(apart, PRICE, AFTER, SORTS)
}

/** "neto", "precio con descuento", "preis nach rabatt": a price after a discount. */
export const isNetPrice = (words: string) =>
  areAll(words, [NET, PRICE, OF_PRICE, DISCOUNT, AFTER]) &&
  !isDiscount(words) &&
  (hasOne(words, NET) || (hasOne(words, DISCOUNT) && hasOne(words, PRICE, AFTER)))

/** "2026", "precio 2026": the price of a year. */
export function isPriceOfYear(words: string): boolean {
  const rest = words.replace(/\b(19|20)\d\d\b/, '').trim()
  return rest !== words && (rest === '' || areAll(rest, [PRICE, OF_PRICE]))
}

/** Beside a column of quantities, these head the total of a line instead of its unit price. */
export const TOTALS: ReadonlySet<string> = new Set(listed('importe, amount, valor'))
export const QUANTITIES: ReadonlySet<string> = new Set(
  listed('cantidad, cant, medicion, quantity, qty, quantidade, qtd, quantite, qte, menge, quantita'),
)
/** Headings of names that as often head codes. */
export const GOODS: ReadonlySet<string> = new Set(listed('articulo, article, artigo, articolo'))

/** A currency inside the heading of a price: "PVP (EUR)", "Price €". */
const CURRENCY_IN_HEADING = /€|£|\b(EUR|USD|GBP|BRL|MXN|CLP|COP|PEN|ARS|UYU|CHF|ESP)\b/i

/** The currency that a heading names, by its code. */
export function currencyIn(heading: string): string | null {
  const found = CURRENCY_IN_HEADING.exec(heading)?.[0]
  if (found === undefined) return null
  return found === '€' ? 'EUR' : found === '£' ? 'GBP' : found.toUpperCase()
}

export function withoutCurrency(heading: string): string {
  return heading.replace(new RegExp(CURRENCY_IN_HEADING.source, 'gi'), ' ')
}

const TAX = '(?:mwst|mehrwertsteuer|ust|umsatzsteuer|vat|iva|tva|btw|gst|tax|taxes|dph|igv)'
const WITHOUT = '(?:s|exkl|excl|exc|ex|excluding|ohne|zzgl|sin|hors|senza|sem|without)'
const WITH = '(?:c|inkl|incl|inc|including|mit|con|avec|with|com)'
const TAX_EXCLUDED = new RegExp(`\\b(?:${WITHOUT} ${TAX}|${TAX} (?:excl|exkl|excluded|excluido|no incluido))\\b`)
const TAX_INCLUDED = new RegExp(`\\b(?:${WITH} ${TAX}|${TAX} (?:incl|inkl|included|incluido|incluse|inclusa))\\b`)

/** "preis exkl mwst" → "preis" without tax; null for words that say nothing of a tax. */
export function taxInWords(words: string): Readonly<{ rest: string; included: 'yes' | 'no' }> | null {
  for (const [pattern, included] of [
    [TAX_EXCLUDED, 'no'],
    [TAX_INCLUDED, 'yes'],
  ] as const) {
    if (pattern.test(words)) return { rest: words.replace(pattern, ' ').replace(/\s+/g, ' ').trim(), included }
  }
  return null
}

/** "Cód. artículo (EAN)" → "cod articulo ean" */
export function wordsOf(heading: string): string {
  return foldText(heading)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
