import type { Decomposition, DecompositionLine } from '@catalog/api/contract/contract.ts'
import { plain, table } from '@catalog/api/items/markdown.ts'
import { moneyText } from '@catalog/core/money/money-text.ts'

/** The item and the amounts of a recipe: how its Markdown begins. */
export function decompositionSummary(decomposition: Decomposition): string {
  const { item, recipe, quantity, totals, now, reconciles } = decomposition
  const { currency } = recipe
  const unit = recipe.unit === null ? '' : ` ${plain(recipe.unit)}`
  const facts = [
    `Recipe: ${plain(recipe.vendor_ref)} of ${plain(recipe.source.name)}${recipe.source.region === null ? '' : `, ${recipe.source.region}`}, ${recipe.observed_at}`,
    `For: ${quantity}${unit}, all amounts in ${currency}`,
    `By the prices of the file: ${totals.total}${isZero(totals.indirect) ? '' : `, of which ${totals.indirect} indirect cost and rounding`}`,
    now === null
      ? 'Today: no line is linked to a priced item'
      : `Today: ${now.total}, of which ${now.at_file_prices} still at the file’s prices (${now.priced_lines} of ${now.lines} lines have a median)`,
    `Declared price of one${unit}: ${recipe.declared_price ?? 'none'}${
      reconciles === null
        ? ''
        : reconciles
          ? ', which its lines give'
          : `, its lines give ${decomposition.computed_price}`
    }`,
    `Item: ${item.id}${item.median_price == null ? '' : `, median ${moneyText(item.median_price)}${item.unit == null ? '' : ` per ${plain(item.unit)}`}`}`,
    ...decomposition.warnings.map((warning) => `Note: ${plain(warning)}`),
    ...(decomposition.truncated ? ['Note: some lines are left out'] : []),
  ]
  return `# ${plain(item.name)}: what it is made of\n\n${facts.map((fact) => `- ${fact}`).join('\n')}\n`
}

/** A recipe for language models: every line in order with its level, its cost by the file, and its cost today. */
export function decompositionMarkdown(decomposition: Decomposition): string {
  const rows = rowsOf(decomposition.lines, '')
  const heads = ['No', 'Kind', 'Code', 'Name', 'Unit', 'Quantity', 'Price', 'Amount', 'Today', 'Item']
  const kinds = Object.entries(decomposition.resources).filter(([, amount]) => !isZero(amount))
  return `${[
    decompositionSummary(decomposition).trimEnd(),
    '## Lines',
    table(heads, rows),
    '## By kind, auxiliaries resolved',
    table(['Kind', 'Amount'], kinds),
  ].join('\n\n')}\n`
}

function isZero(amount: string): boolean {
  return /^-?[0.]*$/.test(amount)
}

function rowsOf(lines: readonly DecompositionLine[], number: string): string[][] {
  return lines.flatMap((line) => {
    const own = number === '' ? `${line.position}` : `${number}.${line.position}`
    const price = line.kind === 'percentage' ? `of ${line.base_amount}` : (line.unit_price ?? '-')
    const row = [
      own,
      line.kind,
      plain(line.code),
      plain(line.name) || '-',
      line.unit === null ? '-' : plain(line.unit),
      line.quantity,
      price,
      line.amount ?? '-',
      line.now?.amount ?? '-',
      line.item?.id ?? '-',
    ]
    return [row, ...rowsOf(line.children, own)]
  })
}
