// A reader of the published package: node walk.mts COMMAND ADDRESS ARGUMENTS. It prints one JSON value a line.
import { CatalogError, createCatalog } from 'construction-cost-catalog-client'

const [, , command = '', baseUrl = '', ...given] = process.argv
const print = (value: unknown) => console.log(JSON.stringify(value))
const commands: Record<string, () => Promise<void>> = { walk, follow, limited }
await commands[command]?.()

/** Every item, one of them as text, and a bill. */
async function walk(): Promise<void> {
  const catalog = createCatalog({ baseUrl })
  const position = await catalog.position()
  const items: string[] = []
  for await (const { id } of catalog.items()) items.push(id)
  const id = items[0] as string
  const [{ item }, markdown] = [await catalog.item(id), await catalog.item(id, { accept: 'text/markdown' })]
  const bill = await catalog.match(JSON.parse(given[0] as string))
  const unknown = await catalog.item('ci_none').catch(shown)
  print({ position, items, item, markdown, bill, unknown })
}

/** The changes after a position until this process is ended. */
async function follow(): Promise<void> {
  const [gen = '', seq = ''] = given
  const catalog = createCatalog({ baseUrl })
  for await (const change of catalog.changes({ since: { gen, seq: Number(seq) }, pollSeconds: 1 })) print(change)
}

/** Pages of few items until the catalog asks for a longer wait than this reader grants. */
async function limited(): Promise<void> {
  const catalog = createCatalog({ baseUrl, retry: { waitSecondsMax: 5 } })
  let items = 0
  try {
    for await (const _ of catalog.items({ limit: 10 })) items++
  } catch (error) {
    print({ items, error: shown(error) })
  }
}

function shown(error: unknown): object {
  if (!(error instanceof CatalogError)) throw error
  const { status, code, details, retryAfterSeconds, message } = error
  return { status, code, details, retry_after_seconds: retryAfterSeconds, message }
}
