import type { Bill, BillLine, BillRow } from '@catalog/formats/bill/bill.ts'
import { BrokenDocument } from '@catalog/formats/xml/document.ts'

/** The key of a number: leading zeros mean nothing, "01.0010" is "1.10". */
const keyOf = ({ code }: BillLine) => (code ?? '').toLowerCase().replace(/(^|\.)0+(?=\w)/g, '$1')

/**
 * The bill of a request with the prices of a bid on it, which has numbers and prices only. Lines are told by their numbers; sums are
 * those of the bid, each behind the line that it stands behind there.
 *
 * @throws BrokenDocument for a bid that shares no number with the request
 */
export function joinBid(request: Bill, bid: Bill): Bill {
  const isLine = (row: BillRow) => row.kind === 'line'
  const offers = Map.groupBy(bid.rows.filter(isLine), keyOf)
  const places = new Map(bid.rows.map((row, i) => [row, i]))
  const sumsBehind = (offer: BillLine) => {
    const rows = bid.rows.slice((places.get(offer) ?? 0) + 1, (places.get(offer) ?? 0) + 1 + SUMS_MAX)
    const end = rows.findIndex((row) => row.kind !== 'sum')
    return end === -1 ? rows : rows.slice(0, end)
  }
  const lines = request.rows.filter(isLine)
  if (!lines.some((line) => offers.has(keyOf(line))))
    throw new BrokenDocument(
      `${bid.name}: expected numbers of ${request.name}, such as ${lines[0]?.code}; found none of them`,
    )
  const rows = request.rows.flatMap((row): readonly BillRow[] => {
    if (row.kind !== 'line') return row.kind === 'section' ? [row] : []
    const offer = offers.get(keyOf(row))?.shift()
    if (offer !== undefined) return [joined(row, offer), ...sumsBehind(offer)]
    const isExpected = row.counts !== 'no' && row.problem === null
    return [isExpected ? { ...row, problem: 'the bid has no such number: expected its price' } : row]
  })
  const others = [...offers.values()].flat().map((line) => ({ ...line, problem: `${request.name} has no such number` }))
  return {
    ...bid,
    title: request.title,
    currency: bid.currency ?? request.currency,
    rows: [...rows, ...others],
    notes: request.notes,
  }
}

/** Sums that stand together: those of seven levels, with discount and tax. */
const SUMS_MAX = 40

function joined(line: BillLine, { price, amount, unit, ...offer }: BillLine): BillLine {
  const isNotOffered = offer.counts === 'no'
  const isFilled = line.quantity === null && offer.quantity !== null
  const longText = [line.longText, offer.longText].filter((text) => text !== null).join('\n') || null
  const problem = isNotOffered || unit === '%' ? offer.problem : isFilled ? null : line.problem
  const counts = isNotOffered ? 'no' : line.counts
  return { ...line, price, amount, longText, counts, problem, quantity: line.quantity ?? offer.quantity }
}
