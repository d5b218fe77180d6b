import type { Terminal } from '@catalog/cli/shared/terminal.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { type ApartItem, apartItems, confirmItem } from '@catalog/operations/decisions/apart.ts'
import { mergeItems, rejectPair, splitSkus } from '@catalog/operations/decisions/items.ts'
import { type ReviewPair, reviewPairs } from '@catalog/operations/decisions/pairs.ts'
import type { Outcome } from '@catalog/operations/outcome.ts'
import { apartText, pairText } from './review-lists.ts'

/** Pairs read at once. */
const PAGE_PAIRS = 50

type Decision = Readonly<{ key: string; does: string; apply: () => Promise<Outcome> }>
type Question = Readonly<{ text: string; decisions: readonly Decision[] }>

/**
 * `catalog review decide`: asks one question after the other, each answered by one key. First the pairs that look like one
 * product, then the items whose vendors stand apart. `keys` are the keys that a person presses.
 */
export async function decideByKey(
  catalog: Catalog,
  terminal: Terminal,
  { keys, reason }: { keys: AsyncIterable<string>; reason: string },
): Promise<void> {
  const pressed = keys[Symbol.asyncIterator]()
  const counts = { decided: 0, skipped: 0 }
  for await (const { text, decisions } of questions(catalog, reason)) {
    const choices = [...decisions.map(({ key, does }) => `${key} ${does}`), `${SKIP} skip`, `${QUIT} quit`]
    terminal.note(`\n${text}\n  ${choices.join(', ')}`)
    const answer = await nextKey(pressed, [...decisions.map(({ key }) => key), SKIP, QUIT])
    if (answer === QUIT) break
    const decision = decisions.find(({ key }) => key === answer)
    if (decision === undefined) counts.skipped++
    else if (await applied(decision, terminal)) counts.decided++
    else counts.skipped++
  }
  await pressed.return?.()
  terminal.answer(counts, () => `${counts.decided} decided, ${counts.skipped} skipped`)
  if (counts.decided > 0) terminal.next('catalog aggregate')
}
const SKIP = 's'
const QUIT = 'q'

/** Waits for one of the keys; other keys change nothing. The end of the input quits. */
async function nextKey(pressed: AsyncIterator<string>, known: readonly string[]): Promise<string> {
  for (;;) {
    const { done, value } = await pressed.next()
    if (done || value === '\u0003' || value === '\u0004') return QUIT
    if (known.includes(value.toLowerCase())) return value.toLowerCase()
  }
}

/** Applies a decision; a refusal is told and the question counts as skipped. */
async function applied(decision: Decision, terminal: Terminal): Promise<boolean> {
  try {
    terminal.note(`  ${(await decision.apply()).said}`)
    return true
  } catch (error) {
    terminal.note(`  not possible: ${(error as Error).message}`)
    return false
  }
}

async function* questions(catalog: Catalog, reason: string): AsyncGenerator<Question> {
  for (let after: string | undefined; ; ) {
    const { pairs, cursor } = await reviewPairs(catalog, { after, limit: PAGE_PAIRS })
    for (const pair of pairs) yield pairQuestion(catalog, pair, reason)
    if (cursor === null) break
    after = cursor
  }
  for await (const item of apartItems(catalog, '')) yield itemQuestion(catalog, item, reason)
}

function pairQuestion(catalog: Catalog, pair: ReviewPair, reason: string): Question {
  const { a, b } = pair
  return {
    text: pairText(pair),
    decisions: [
      {
        key: 'm',
        does: 'merge: one product',
        apply: () => mergeItems(catalog, { from: b.item_id, into: a.item_id, reason }),
      },
      {
        key: 'r',
        does: 'reject: two products, for ever',
        apply: () => rejectPair(catalog, { a: a.vendor_sku_id, b: b.vendor_sku_id, reason }),
      },
    ],
  }
}

function itemQuestion(catalog: Catalog, item: ApartItem, reason: string): Question {
  const smallest = item.groups.toSorted((a, b) => a.length - b.length)[0] ?? []
  return {
    text: apartText(item),
    decisions: [
      {
        key: 'p',
        does: 'split off the smallest group, for ever',
        apply: () => splitSkus(catalog, { skuIds: smallest.map(({ vendor_sku_id }) => vendor_sku_id), reason }),
      },
      {
        key: 'k',
        does: 'keep as one product',
        apply: () => confirmItem(catalog, { itemId: item.item_id, reason }),
      },
    ],
  }
}

/** The keys of a terminal, one by one; without a terminal the characters of the input. */
export async function* pressedKeys(input: NodeJS.ReadStream = process.stdin): AsyncGenerator<string> {
  const isRaw = input.isTTY === true
  if (isRaw) input.setRawMode(true)
  input.setEncoding('utf8')
  try {
    for await (const chunk of input as AsyncIterable<string>) yield* chunk
  } finally {
    if (isRaw) input.setRawMode(false)
    input.pause()
  }
}
