import type { List } from '@catalog/cli/shared/list.ts'
import { table } from '@catalog/cli/shared/terminal.ts'
import { formatMoney } from '@catalog/core/money/money.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { type ApartItem, type ApartOffer, apartPage } from '@catalog/operations/decisions/apart.ts'
import { type ReviewPair, type ReviewSide, reviewPairs } from '@catalog/operations/decisions/pairs.ts'
import { reusedPage } from '@catalog/operations/decisions/reused-references.ts'
import { openSpellings, spellingPage } from '@catalog/operations/decisions/vendor-spellings.ts'
import { waitingPage } from '@catalog/operations/decisions/waiting-prices.ts'
import type { Paging } from '@catalog/operations/outcome.ts'
import { countWaitingPrices } from '@catalog/store/catalog/quarantine.ts'
import { countReusedReferences } from '@catalog/store/references/reference-uses.ts'

/** What `catalog review` lists for a person to decide. */

type PageOf<Read extends (catalog: Catalog, options: Paging) => Promise<unknown>> = Awaited<ReturnType<Read>>

async function reviewPage(catalog: Catalog, paging: Paging) {
  return {
    ...(await reviewPairs(catalog, paging)),
    first_prices_waiting: await countWaitingPrices(catalog.store),
    source_spellings: (await openSpellings(catalog)).length,
    references_reused: await countReusedReferences(catalog.store),
  }
}

export const PAIRS: List<PageOf<typeof reviewPage>> = {
  command: 'catalog review',
  read: reviewPage,
  text: ({ pairs, first_prices_waiting: waiting, source_spellings: spellings, references_reused: reused }) =>
    [
      ...pairs.map(pairText),
      ...(pairs.length === 0 ? ['no pair waits for a decision'] : []),
      ...(waiting === 0 ? [] : [`${waiting} first prices wait in quarantine: catalog review waiting`]),
      ...(spellings === 0 ? [] : [`${spellings} pairs of sources may be one vendor: catalog review sources`]),
      ...(reused === 0
        ? []
        : [`${reused} references of vendors have stood for several articles: catalog review reused`]),
    ].join('\n'),
  next: ({ pairs }) =>
    pairs.length === 0
      ? undefined
      : 'catalog review merge FROM INTO --reason "..." or catalog review reject SKU_A SKU_B --reason "..."',
}

/** A pair as two lines of names, units, prices and attributes below the reasons. */
function pairText({ score, why, contradiction, price_ratio: ratio, a, b }: ReviewPair): string {
  const reasons = [
    why.join('; '),
    contradiction === null ? '' : `${contradiction.about} ${contradiction.a} and ${contradiction.b}`,
    ratio === null ? '' : `prices ${ratio} times apart`,
  ]
  return [
    `${score.toFixed(3)}  not automatic: ${reasons.filter((reason) => reason !== '').join('; ')}`,
    ...[a, b].map((side) =>
      [
        `  ${side.name ?? 'no observation left'}`,
        side.unit ?? 'no unit',
        priceText(side.price),
        side.source ?? '-',
        attributesText(side.attributes),
        `${side.vendor_sku_id} in ${side.item_id}`,
      ]
        .filter((part) => part !== '')
        .join(' | '),
    ),
  ].join('\n')
}

function priceText(price: ReviewSide['price']): string {
  if (price === null) return ''
  const { cents, currency, per_quantity: quantity, unit } = price
  return `${formatMoney(cents, currency)}${quantity === 1 ? '' : ` for ${quantity} ${unit ?? ''}`}`.trimEnd()
}

const attributesText = (attributes: ReviewSide['attributes']) =>
  Object.entries(attributes)
    .map(([role, values]) => (role === 'length' ? values.join(' x ') : `${role} ${values.join(', ')}`))
    .join('; ')

export const APART: List<PageOf<typeof apartPage>> = {
  command: 'catalog review apart',
  read: apartPage,
  text: ({ items }) => (items.length === 0 ? 'no item whose vendors stand apart' : items.map(apartText).join('\n\n')),
  next: ({ items }) =>
    items.length === 0
      ? undefined
      : 'catalog review split SKU... --reason "..." or catalog review keep ITEM --reason "..."',
}

/** An item with its groups, and the command that splits it. */
function apartText({ item_id, name, unit, region, ratio, groups }: ApartItem): string {
  const offer = ({ source, article, cents, currency, vendor_sku_id }: ApartOffer) =>
    `    ${formatMoney(cents, currency)} | ${article ?? '-'} | ${source ?? '-'} | ${vendor_sku_id}`
  const smallest = groups.toSorted((a, b) => a.length - b.length)[0] as readonly ApartOffer[]
  return [
    `${name} (${unit ?? 'no unit'}), ${item_id}: vendors in ${region} stand ${ratio} times apart`,
    ...groups.flatMap((group, n) => [`  group ${n + 1}`, ...group.map(offer)]),
    `  split: catalog review split ${smallest.map(({ vendor_sku_id }) => vendor_sku_id).join(' ')} --reason "..."`,
  ].join('\n')
}

export const SPELLINGS: List<PageOf<typeof spellingPage>> = {
  command: 'catalog review sources',
  read: spellingPage,
  text: ({ pairs }) =>
    pairs.length === 0
      ? 'no two sources look like one vendor'
      : pairs
          .map(({ source, canonical }) =>
            [source, canonical]
              .map((one) => `${one.name} | ${one.region ?? '-'} | trust ${one.trust} | ${one.source_id}`)
              .join('\n  may be '),
          )
          .join('\n'),
  next: ({ pairs }) =>
    pairs.length === 0
      ? undefined
      : 'catalog review sources accept SOURCE CANONICAL --reason "..." (or --all), or reject SOURCE CANONICAL',
}

export const WAITING: List<PageOf<typeof waitingPage>> = {
  command: 'catalog review waiting',
  read: waitingPage,
  text: ({ prices }) =>
    prices.length === 0
      ? 'no first price waits'
      : table(
          prices.map((price) => ({
            observation: price.observation_id,
            source: price.source,
            article: price.article,
            price:
              `${formatMoney(price.cents, price.currency)} for ${price.per_quantity} ${price.vendor_unit ?? ''}`.trimEnd(),
            item: price.item_id,
            median:
              price.median_cents === null || price.median_currency === null
                ? 'none'
                : `${formatMoney(price.median_cents, price.median_currency)} for ${price.unit ?? 'a unit'}`,
          })),
        ),
  next: ({ prices }) => (prices.length === 0 ? undefined : 'catalog review release OBSERVATION --reason "..."'),
}

export const REUSED: List<PageOf<typeof reusedPage>> = {
  command: 'catalog review reused',
  read: reusedPage,
  text: ({ references }) =>
    references.length === 0
      ? 'no reference stood for several articles'
      : references
          .map(({ source, vendor_ref, since, about, before, after, vendor_sku_id, item_id }) =>
            [
              `${source} | ${vendor_ref} | since ${since} | ${about}`,
              `  was ${before}`,
              `  is  ${after} | ${vendor_sku_id} in ${item_id ?? 'no item'}`,
            ].join('\n'),
          )
          .join('\n'),
  next: () => undefined,
}
