import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { wireSchema } from './mcp-schemas.ts'
import { TEXTS } from './mcp-texts.ts'

const WORDS = z.string().max(500, 'expected at most 500 characters')

/** Registers the prompts of texts.yaml. */
export function registerPrompts(server: McpServer): void {
  for (const [name, { title, description, arguments: known, text }] of Object.entries(TEXTS.prompts)) {
    const shape = Object.entries(known).map(([argument, { description, shown }]) => {
      const words = WORDS.meta({ description })
      return [argument, shown === undefined ? words : words.optional()]
    })
    const argsSchema = wireSchema(z.object(Object.fromEntries(shape)), 'input')
    server.registerPrompt(name, { title, description, argsSchema }, (given: Readonly<Record<string, unknown>>) => {
      const shown = text.replace(/\{(\w+)\}/g, (_, argument: string) => {
        const value = given[argument]
        return value === undefined ? '' : (known[argument]?.shown ?? '{}').replace('{}', () => String(value))
      })
      return { messages: [{ role: 'user', content: { type: 'text', text: shown } }] }
    })
  }
}
