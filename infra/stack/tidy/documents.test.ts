import { existsSync, globSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { documentText, ROOT } from './tree.ts'

/** Every document of the repository but for dependencies' own. */
const DOCUMENTS = globSync(['*.md', 'docs/**/*.md', '{libs,services,infra,research,clients}/**/*.md'], { cwd: ROOT })
  .filter((path) => !path.includes('node_modules/'))
  .sort()

/** Paths from the root in backticks, and targets of links, that do not exist; `ID` and the like stand for any name. */
function brokenPaths(document: string, markdown: string): string[] {
  const quoted = [...markdown.matchAll(/`((?:libs|services|infra|research|clients|docs)\/[^`\s]*)`/g)]
    .map(([, path = '']) => path.replaceAll(/\b[A-Z]+\b(?![.\w])/g, '*'))
    .filter((path) => !exists(path))
  const linked = [...markdown.matchAll(/\]\(([^)#\s]+)(?:#[^)\s]*)?\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^(https?|mailto):/.test(target))
    .filter((target) => !existsSync(join(ROOT, dirname(document), target)))
  return [...quoted, ...linked].map((path) => `${document}: ${path}`)
}

/** A path, which may be a pattern, or a file and the name of what it defines: `libs/core/time.ts:instant`. */
function exists(path: string): boolean {
  const [file = '', name] = path.split(':')
  const files = globSync(file, { cwd: ROOT })
  if (name === undefined) return files.length > 0
  return files.some((found) => new RegExp(`\\b(function|const|class)\\*? ${name}\\b`).test(documentText(found)))
}

const WORDS_MAX = 25
/** Documents that readers of the product open first. */
const FIRST_READ = ['README.md', 'docs/tutorial.md', 'docs/api.md', 'docs/mcp.md']

/** Sentences of more words, outside code, tables and headings. What stands in backticks is one word. */
function longSentences(markdown: string): string[] {
  const prose = markdown
    .replaceAll(/^```.*?^```$/gms, '')
    .replaceAll(/^(\||#).*$/gm, '')
    .replaceAll(/`[^`]*`/g, 'code')
    .replaceAll(/^ *(-|\d+\.) /gm, '\n\n')
  return prose
    .split(/\n\s*\n/)
    .flatMap((paragraph) => paragraph.split(/(?<=[.!?][")]?)\s+(?=[A-Z\d"([]|code\b)/))
    .filter((sentence) => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length > WORDS_MAX)
}

describe('documents', () => {
  test.each(FIRST_READ)(`%s has no sentence of more than ${WORDS_MAX} words`, (path) => {
    expect(longSentences(documentText(path))).toEqual([])
  })
  test('with a sentence of more words are found', () => {
    const sentence = (words: number) => `${Array.from({ length: words }, () => 'word').join(' ')}.`
    const [fits, long] = [sentence(WORDS_MAX), sentence(WORDS_MAX + 1)]
    expect(longSentences(`${fits} Then\n\n- ${long}\n- ${fits}\n\n| ${long} |\n`)).toEqual([
      expect.stringContaining(long),
    ])
  })

  test('README.md has at most 120 lines', () => {
    expect(documentText('README.md').split('\n').length - 1).toBeLessThanOrEqual(120)
  })

  test('name files and folders that exist', () => {
    expect(DOCUMENTS.length).toBeGreaterThan(50)
    expect(DOCUMENTS.flatMap((document) => brokenPaths(document, documentText(document)))).toEqual([])
  })
  test('that name a file or link a page which is gone are found', () => {
    const planted =
      'See `libs/core/gone.ts`, `libs/core/time.ts:gone`, `libs/core/time.ts:instant`, `libs/core/money/`, [a page](gone.md) and [another](laws.md#prices).'
    expect(brokenPaths('docs/planted.md', planted)).toEqual([
      'docs/planted.md: libs/core/gone.ts',
      'docs/planted.md: libs/core/time.ts:gone',
      'docs/planted.md: gone.md',
    ])
  })

  test('of decisions are all in their index', () => {
    const pages = DOCUMENTS.filter((path) => /^docs\/decisions\/\d{4}-/.test(path)).map((path) => basename(path))
    const index = documentText('docs/decisions/README.md')
    const listed = [...index.matchAll(/^- \[\d{4} .*\]\((.*)\)$/gm)].map(([, page]) => page as string)
    expect(listed).toEqual(pages)
  })
})
