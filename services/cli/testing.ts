import type { Terminal } from '@catalog/cli/shared/terminal.ts'

/** A terminal that records answers, notes and the proposed next command, with the text of the last answer. */
export function listening({ json = true }: { json?: boolean } = {}) {
  const heard = { answers: [] as unknown[], text: '', notes: [] as string[], next: '' }
  const terminal: Terminal = {
    json,
    answer: (value, text) => {
      heard.answers.push(value)
      heard.text = text()
    },
    note: (line) => heard.notes.push(line),
    next: (command) => {
      heard.next = command
    },
    progress: () => ({ to: () => {}, done: () => {} }),
  }
  return { heard, terminal }
}
