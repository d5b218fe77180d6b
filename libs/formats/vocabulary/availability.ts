import type { Availability } from '@catalog/core/events/observations.ts'
import { foldText } from '@catalog/core/text.ts'

/** Whether goods can be had, in the words of schema.org, shop systems, merchant feeds and price lists. */

const WORDS: Readonly<Record<Availability, string>> = {
  InStock: `instock, available, yes, true, 1, en stock, disponible, disponivel, em estoque, em stock, disponibile, auf lager,
    lieferbar, verfugbar, op voorraad, w magazynie, in magazzino, skladem, na sklade, last remaining items, instockwithlimits`,
  LimitedAvailability: 'limitedavailability, lowstock, low stock, limited',
  OutOfStock: `outofstock, unavailable, not available, no, false, 0, agotado, sin stock, sin existencias, no disponible, esgotado, indisponivel,
    epuise, rupture de stock, indisponible, non disponibile, esaurito, ausverkauft, nicht lieferbar, nicht verfugbar, nicht auf lager, uitverkocht,
    brak w magazynie, out`,
  SoldOut: 'soldout',
  PreOrder: 'preorder, presale, preventa, pre venda, vorbestellbar, precommande',
  BackOrder:
    'backorder, available for order, availablefororder, onbackorder, on backorder, bajo pedido, sob encomenda, sur commande, su ordinazione, auf bestellung',
  Discontinued:
    'discontinued, descatalogado, descontinuado, eol, end of life, obsolete, fuera de catalogo, descontinue, arrete, auslaufend, fuori produzione',
  InStoreOnly: 'instoreonly',
  OnlineOnly: 'onlineonly',
  MadeToOrder: 'madetoorder, made to order, a medida',
  Reserved: 'reserved',
}
const BY_WORD: ReadonlyMap<string, Availability> = new Map(
  (Object.entries(WORDS) as [Availability, string][]).flatMap(([availability, words]) =>
    words.split(/,\s+/).map((word) => [keyOf(word), availability] as const),
  ),
)

/** "http://schema.org/InStock", "in stock", "IN_STOCK", "En stock" → InStock; null for any other text. */
export function availabilityOf(text: string): Availability | null {
  if (text === '') return null
  const name = /[/#]([a-z]+)\/?$/i.exec(text.trim())?.[1] ?? text
  return BY_WORD.get(keyOf(name)) ?? null
}

/** Letters and digits alone: shops write one word in many ways. */
function keyOf(word: string): string {
  return foldText(word).replace(/[^\p{L}\p{N}]+/gu, '')
}
