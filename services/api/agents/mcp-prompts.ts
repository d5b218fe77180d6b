import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { wireSchema } from './mcp-schemas.ts'

/** Prompts for the most common requests: steps that end in cited prices. */

const Words = (description: string) => z.string().max(500, 'expected at most 500 characters').meta({ description })

const EstimateInput = wireSchema(
  z.object({
    work: Words('What is to be built, as it stands in the bill of quantities'),
    quantity: Words('How much of it, with its unit').optional(),
    region: Words('The market: ES, MX, US and so on').optional(),
  }),
  'input',
)
const CompareInput = wireSchema(
  z.object({ material: Words('What is to be bought'), region: Words('The market: ES, MX, US and so on').optional() }),
  'input',
)

export function registerPrompts(server: McpServer): void {
  server.registerPrompt(
    'estimate_partida',
    {
      title: 'Estimate a work item',
      description: 'What a work item costs, by its materials, labor and machinery',
      argsSchema: EstimateInput,
    },
    ({ work, quantity, region }) =>
      userMessage(`Estimate what this costs: ${work}${quantity === undefined ? '' : `, ${quantity}`}.
1. Find it with search_catalog${inRegion(region)}; take the result whose name and unit fit, and say which.
2. Take it apart with get_decomposition${inRegion(region)}, for the quantity where there is one. Without a recipe use the median of get_item.
3. Show the lines, the total by the price book and today's total, in the currency that the prices have.
${CITE}`),
  )
  server.registerPrompt(
    'compare_vendors',
    {
      title: 'Compare vendors',
      description: 'Who sells a material at which price',
      argsSchema: CompareInput,
    },
    ({ material, region }) =>
      userMessage(`Compare who sells this at which price: ${material}.
1. Find it with search_catalog${inRegion(region)}; several results may be the same thing in other packs.
2. Read each that fits with get_item${inRegion(region)}.
3. Show a table of vendors: price, what it buys, trust, date. Compare per unit of measure where packs differ, and say what is old.
${CITE}`),
  )
}

const CITE =
  'Cite source, address and date of every price. Convert no currencies, and say so where a price is not known.'

const inRegion = (region: string | undefined) => (region === undefined ? '' : ` (region ${region})`)

const userMessage = (text: string) => ({
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
})
