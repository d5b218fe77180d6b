import { type Client, errors, type estypes } from '@elastic/elasticsearch'
import { ADMIN, asked, failed, IF_THERE, SEARCH } from './requests.ts'

/**
 * Which index stands behind which name. What is of one digest (one embedder and one mapping) begins with `own`,
 * `PREFIX-GEN-DIGEST`:
 *
 * - `own-docs` is the index that a catalog begins with, `own-docs-b7` the one that the replay of build 7 filled;
 * - the alias `own` names the present one of them, which everybody but a replay writes and reads;
 * - the alias `own-filled` names the same one, once readers may find its vectors;
 * - the alias `own-b7` (`own-b0` for the first) names one for those who write to it beside the present one.
 *
 * The alias `PREFIX-GEN` names the present index of that digest whose words all others find until they are filled.
 *
 * Law: an alias of readers moves in one step, and only from where it was seen: the server refuses a step whose `own` has
 * moved meanwhile, and a second index for it. So readers find one index under each name at any time, and a step that was
 * killed or made twice changes nothing more.
 *
 * `seqOf` is the highest seq of an index, of all that was written to it.
 */
export function openAliases({
  client,
  serving,
  own,
  build,
  schema,
  seqOf,
}: {
  client: Client
  serving: string
  own: string
  /** Undefined for the present index, whichever it is; null for the one that the catalog began with. */
  build: number | null | undefined
  schema: Pick<estypes.IndicesCreateRequest, 'settings' | 'mappings'>
  seqOf: (index: string) => Promise<bigint>
}) {
  const first = `${own}-docs`
  const documents = typeof build === 'number' ? `${first}-b${build}` : first
  const alias = build === undefined ? own : `${own}-b${build ?? 0}`
  const filled = `${own}-filled`

  /** Makes the index unless its alias names one. */
  async function create(): Promise<void> {
    if (await isNamed()) return
    try {
      await client.indices.create({ index: documents, ...schema, aliases: { [alias]: NAMED } }, ADMIN)
    } catch (error) {
      // Another process was faster.
      if (await isNamed()) return
      if (!says(error, 'resource_already_exists_exception')) throw failed('create', error)
      // It is there, and the one that took its place is lost: what it still holds is a beginning.
      await asked('alias', move([{ add: { index: documents, alias, ...NAMED } }]))
    }
  }

  const isNamed = () => asked('alias', client.indices.existsAlias({ name: alias }, SEARCH))

  async function read(): Promise<Aliases> {
    const found = await asked('alias', client.indices.getAlias({ index: `${serving}-*`, ...IF_THERE }, SEARCH))
    const named = Object.entries(found).map(([index, { aliases }]) => ({ index, aliases: Object.keys(aliases) }))
    const present = named.find(({ aliases }) => aliases.includes(own))
    return {
      present: present?.index,
      isFilled: present?.aliases.includes(filled) ?? false,
      serves: named.find(({ aliases }) => aliases.includes(serving))?.index,
      named,
    }
  }

  /** False when the present index is no longer the one that the actions begin with. */
  async function move(actions: estypes.IndicesUpdateAliasesAction[]): Promise<boolean> {
    try {
      await client.indices.updateAliases({ actions }, ADMIN)
      return true
    } catch (error) {
      if (error instanceof errors.ResponseError && error.statusCode === 404) return false
      throw failed('alias', error)
    }
  }

  /** Moves as `actionsFor` what is there says, until nothing was in between; undefined is nothing to do. */
  async function moveFrom(actionsFor: (found: Aliases) => Promise<Actions | undefined>): Promise<void> {
    for (let tries = 0; tries < MOVE_TRIES_MAX; tries++) {
      const actions = await actionsFor(await read())
      if (actions === undefined || (await move([...actions]))) return
    }
    throw new Error(`Elasticsearch, alias: ${own} was moved by others ${MOVE_TRIES_MAX} times in between`)
  }

  const serve = (index: string): Actions => [
    { remove: { index: `${serving}-*`, alias: serving, must_exist: false } },
    { remove: { index: `${own}-*`, alias: filled, must_exist: false } },
    ...[serving, filled].map((alias) => ({ add: { index, alias } })),
  ]
  const from = (present: string): Actions => [{ remove: { index: present, alias: own, must_exist: true } }]
  const to = (index: string): Actions => [{ add: { index, alias: own, ...NAMED } }]

  /** Lets readers come to the present index as soon as it is at least as new as the one that serves them. */
  async function serveWhenFilled(seq: bigint): Promise<void> {
    await moveFrom(async ({ present, isFilled, serves }) => {
      if (present === undefined || (isFilled && serves === present)) return undefined
      const other = serves === undefined ? -1n : await seqOf(serves)
      // Of two that are fed side by side, the one that serves goes on doing so.
      if (isFilled ? seq > other : seq >= other) return [...from(present), ...to(present), ...serve(present)]
      if (isFilled && seq + BEHIND_CHANGES_MAX < other) {
        return [...from(present), ...to(present), { remove: { index: present, alias: filled, must_exist: false } }]
      }
      return undefined
    })
  }

  async function takeOver(): Promise<void> {
    await create()
    // All that was put is found from here on; it throws unless the index answers.
    const seq = await seqOf(documents)
    await moveFrom(async ({ present, isFilled, serves }) => {
      if (present === documents) return undefined
      const held = present === undefined ? 0n : await seqOf(present)
      if (held > seq) {
        throw new Error(`Elasticsearch, alias: ${documents} ends at seq ${seq}: expected ${held}, as in ${present}`)
      }
      const moved = [...(present === undefined ? [] : from(present)), ...to(documents)]
      if (serves === undefined || serves === present) return [...moved, ...serve(documents)]
      if (!isFilled) return moved
      const remove = { index: present as string, alias: filled, must_exist: false }
      return [...moved, { remove }, { add: { index: documents, alias: filled } }]
    })
    // Nobody may write to it for long, if the former one was not filled.
    await serveWhenFilled(seq)
  }

  /** False when readers find something in it. */
  async function discard(): Promise<boolean> {
    const { named } = await read()
    const aliases = named.find(({ index }) => index === documents)?.aliases ?? []
    if (aliases.some((name) => name === own || name === filled || name === serving)) return false
    await remove(documents)
    return true
  }

  /** Deletes all that is of another digest; false when readers find words in it. */
  async function drop(other: string): Promise<boolean> {
    const { named, serves } = await read()
    const those = named.map(({ index }) => index).filter((index) => index.startsWith(`${other}-docs`))
    if (serves !== undefined && those.includes(serves)) return false
    for (const index of those) await remove(index)
    return true
  }

  async function remove(index: string): Promise<void> {
    await asked('delete', client.indices.delete({ index }, { ...ADMIN, ignore: [404] }))
  }

  return {
    /** What is read: the present index, or that of the build. */
    source: build === undefined ? own : documents,
    /** What is written to, an alias. */
    target: alias,
    create,
    read,
    serveWhenFilled,
    takeOver,
    discard,
    drop,
  }
}

/** Of an alias that is written through: the server then refuses it a second index. */
const NAMED = { is_write_index: true } as const
/** Aliases move a few times a year; whoever is in between so often is a fault. */
const MOVE_TRIES_MAX = 5
/** An index that was filled and is this far behind the one that serves has missed a batch, and is filled anew. */
const BEHIND_CHANGES_MAX = 1_000n

type Aliases = Readonly<{
  /** Undefined while nothing was written for this digest. */
  present: string | undefined
  isFilled: boolean
  /** The index that has the alias of the generation; undefined while none has. */
  serves: string | undefined
  named: readonly { readonly index: string; readonly aliases: readonly string[] }[]
}>

type Actions = readonly estypes.IndicesUpdateAliasesAction[]

function says(error: unknown, reason: string): boolean {
  return error instanceof errors.ResponseError && error.message.includes(reason)
}
