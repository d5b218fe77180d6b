import type { Terminal } from '@catalog/cli/shared/terminal.ts'

/**
 * A terminal for a page that does what a command does, by the command's own function: it keeps the answer for programs, and the
 * texts and notes for people.
 */
export function capturedTerminal(): { terminal: Terminal; value: () => unknown; texts: readonly string[] } {
  let answered: unknown
  const texts: string[] = []
  const terminal: Terminal = {
    json: false,
    answer(value, text) {
      answered = value
      texts.push(text())
    },
    note: (line) => {
      texts.push(line.trim())
    },
    next() {},
    progress: () => ({ to() {}, done() {} }),
  }
  return { terminal, value: () => answered, texts }
}
