import { openProgram } from '@catalog/cli/program.ts'
import { Environment } from '@catalog/runtime/env.ts'
import { parse } from 'yaml'
import { documentText } from './tree.ts'

/** The documents that hold a list made from the code, between two comments. People write the rest. */
export const REFERENCES: Readonly<Record<string, () => string>> = {
  'docs/commands.md': commandLines,
  'docs/environment.md': variableRows,
}

/** The document with its list as the code has it now. */
export function withList(path: string): string {
  const made = (REFERENCES[path] as () => string)()
  return documentText(path).replace(LIST, (_, begin: string, end: string) => `${begin}\n${made}\n${end}`)
}

const LIST = /(<!-- Made by `npx node infra\/stack\/docs\.ts`\. -->\n).*(\n<!-- End -->)/s

/** Described once above the list, because every command, or every command that lists something, has them. */
const COMMON = ['--json', '--data', '--after', '--limit']

function commandLines(): string {
  return linesOf(openProgram(), '').join('\n')
}

type Command = ReturnType<typeof openProgram>

function linesOf({ commands }: Pick<Command, 'commands'>, path: string): string[] {
  return commands.flatMap((command) => {
    const name = `${path}${command.name()}`
    const words = [
      name,
      ...command.registeredArguments.map((argument) => {
        const shown = argument.name() + (argument.variadic ? '...' : '')
        return argument.required ? `<${shown}>` : `[${shown}]`
      }),
      ...command.options
        .filter(({ long }) => !COMMON.includes(long as string))
        .map(({ flags, mandatory }) => (mandatory ? flags : `[${flags}]`)),
    ]
    // A command that only holds others says nothing that they do not say.
    const isGroup = command.commands.length > 0 && words.length === 1
    const line = `- \`${words.join(' ')}\`: ${command.description()}`
    return [...(isGroup ? [] : [line]), ...linesOf(command, `${name} `)]
  })
}

function variableRows(): string {
  const meanings = parse(documentText('libs/runtime/environment.yaml')) as Readonly<Record<string, string>>
  const standards: Readonly<Record<string, unknown>> = Environment.parse({})
  const names = [...new Set([...Object.keys(Environment.shape), ...Object.keys(meanings)])]
  const rows = names.map((name) => {
    const standard = String(standards[name] ?? '')
    return `| \`${name}\` | ${standard === '' ? '' : `\`${standard}\``} | ${meanings[name] ?? ''} |`
  })
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n')
}
