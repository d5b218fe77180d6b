import { LAG_CHANGES_MAX } from '@catalog/search/search.ts'
import { type Client, errors, type estypes } from '@elastic/elasticsearch'
import { ADMIN, IF_THERE, requestError, responseOf, SEARCH } from './requests.ts'

type Options = Readonly<{
  client: Client
  /** The alias `PREFIX-GEN`. */
  serving: string
  /** The alias `PREFIX-GEN-DIGEST`. */
  own: string
  /** Undefined for the present index; null for the first index of the catalog. */
  build: number | null | undefined
  schema: Pick<estypes.IndicesCreateRequest, 'settings' | 'mappings'>
  /** The highest seq of all writes to an index. */
  seqOf: (index: string) => Promise<bigint>
}>

/**
 * Maps aliases to indexes. All names of one digest (one embedder and one mapping) begin with `own`, `PREFIX-GEN-DIGEST`:
 *
 * - `own-docs` is the first index of a catalog, `own-docs-b7` the index that the replay of build 7 filled;
 * - the alias `own` names the present one, which everything except a replay reads and writes;
 * - the alias `own-filled` names the same index once readers may use its vectors;
 * - the alias `own-b7` (`own-b0` for the first) names the index of a build for its writers.
 *
 * The alias `PREFIX-GEN` names the present index of the serving digest. Indexes of other digests find words through it
 * until they are filled.
 *
 * Law: an alias for readers moves in one atomic step, and only from its expected place. The server refuses a step whose
 * `own` has moved meanwhile, and a second write index for it. So each name always has one index, and a killed or
 * repeated step does no harm.
 */
export class IndexAliases {
  /** The index or alias to read: the present index, or that of the build. */
  readonly source: string
  /** The alias to write to. */
  readonly target: string
  readonly #options: Options
  readonly #index: string
  readonly #filled: string

  constructor(options: Options) {
    const { own, build } = options
    this.#options = options
    this.#index = typeof build === 'number' ? `${own}-docs-b${build}` : `${own}-docs`
    this.#filled = `${own}-filled`
    this.source = build === undefined ? own : this.#index
    this.target = build === undefined ? own : `${own}-b${build ?? 0}`
  }

  /** Creates the index unless its alias names one. */
  async create(): Promise<void> {
    const [index, alias] = [this.#index, this.target]
    if (await this.#exists()) return
    try {
      const { client, schema } = this.#options
      await client.indices.create({ index, ...schema, aliases: { [alias]: WRITTEN } }, ADMIN)
    } catch (error) {
      // Another process was faster.
      if (await this.#exists()) return
      if (!isResponse(error, 'resource_already_exists_exception')) throw requestError('create', error)
      // The index that replaced this one is lost; continue from the documents of this one.
      await responseOf('alias', this.#move([{ add: { index, alias, ...WRITTEN } }]))
    }
  }

  async read(): Promise<AliasState> {
    const { client, serving, own } = this.#options
    const request = client.indices.getAlias({ index: `${serving}-*`, ...IF_THERE }, SEARCH)
    const named = Object.entries(await responseOf('alias', request)).map(([index, { aliases }]) => ({
      index,
      aliases: Object.keys(aliases),
    }))
    const present = named.find(({ aliases }) => aliases.includes(own))
    return {
      present: present?.index,
      isFilled: present?.aliases.includes(this.#filled) ?? false,
      serves: named.find(({ aliases }) => aliases.includes(serving))?.index,
      named,
    }
  }

  /** Lets readers use the present index once it is at least as new as the serving one. */
  async serveWhenFilled(seq: bigint): Promise<void> {
    await this.#moveFrom(async ({ present, isFilled, serves }) => {
      if (present === undefined || (isFilled && serves === present)) return undefined
      const other = serves === undefined ? -1n : await this.#options.seqOf(serves)
      // The serving one of two indexes that are fed side by side keeps serving.
      if (isFilled ? seq > other : seq >= other) {
        return [...this.#from(present), ...this.#to(present), ...this.#serve(present)]
      }
      if (isFilled && seq + LAG_CHANGES_MAX < other) {
        return [...this.#from(present), ...this.#to(present), this.#unfill(present)]
      }
      return undefined
    })
  }

  /** Replaces the present index by this one. Throws, and changes nothing, when the present one is ahead. */
  async takeOver(): Promise<void> {
    await this.create()
    // The refresh in seqOf makes all writes visible, and throws unless the index answers.
    const seq = await this.#options.seqOf(this.#index)
    await this.#moveFrom(async ({ present, isFilled, serves }) => {
      if (present === this.#index) return undefined
      const presentSeq = present === undefined ? 0n : await this.#options.seqOf(present)
      if (presentSeq > seq) {
        const expected = `expected ${presentSeq}, as in ${present}`
        throw new Error(`Elasticsearch, alias: ${this.#index} ends at seq ${seq}: ${expected}`)
      }
      const moved = [...(present === undefined ? [] : this.#from(present)), ...this.#to(this.#index)]
      if (serves === undefined || serves === present) return [...moved, ...this.#serve(this.#index)]
      if (!isFilled) return moved
      return [...moved, this.#unfill(present as string), { add: { index: this.#index, alias: this.#filled } }]
    })
    // No write may follow for long, so a present index that was not filled becomes so here.
    await this.serveWhenFilled(seq)
  }

  /** Deletes the index; false, without a change, when readers use it. */
  async discard(): Promise<boolean> {
    const { own, serving } = this.#options
    const { named } = await this.read()
    const aliases = named.find(({ index }) => index === this.#index)?.aliases ?? []
    if (aliases.some((name) => name === own || name === this.#filled || name === serving)) return false
    await this.#delete(this.#index)
    return true
  }

  /** Deletes all indexes of another digest; false, without a change, when readers find words in one. */
  async drop(other: string): Promise<boolean> {
    const { named, serves } = await this.read()
    const dropped = named.map(({ index }) => index).filter((index) => index.startsWith(`${other}-docs`))
    if (serves !== undefined && dropped.includes(serves)) return false
    for (const index of dropped) await this.#delete(index)
    return true
  }

  #exists(): Promise<boolean> {
    return responseOf('alias', this.#options.client.indices.existsAlias({ name: this.target }, SEARCH))
  }

  /** False when the present index has changed since the actions were planned. */
  async #move(actions: estypes.IndicesUpdateAliasesAction[]): Promise<boolean> {
    try {
      await this.#options.client.indices.updateAliases({ actions }, ADMIN)
      return true
    } catch (error) {
      if (error instanceof errors.ResponseError && error.statusCode === 404) return false
      throw requestError('alias', error)
    }
  }

  /** Plans and applies actions until no other process interferes; undefined means nothing to do. */
  async #moveFrom(plan: (state: AliasState) => Promise<Actions | undefined>): Promise<void> {
    for (let tries = 0; tries < MOVE_TRIES_MAX; tries++) {
      const actions = await plan(await this.read())
      if (actions === undefined || (await this.#move([...actions]))) return
    }
    const { own } = this.#options
    throw new Error(`Elasticsearch, alias: other processes moved ${own} ${MOVE_TRIES_MAX} times meanwhile`)
  }

  #serve(index: string): Actions {
    const { own, serving } = this.#options
    return [
      { remove: { index: `${serving}-*`, alias: serving, must_exist: false } },
      { remove: { index: `${own}-*`, alias: this.#filled, must_exist: false } },
      ...[serving, this.#filled].map((alias) => ({ add: { index, alias } })),
    ]
  }

  #from(present: string): Actions {
    return [{ remove: { index: present, alias: this.#options.own, must_exist: true } }]
  }

  #to(index: string): Actions {
    return [{ add: { index, alias: this.#options.own, ...WRITTEN } }]
  }

  #unfill(index: string): Actions[number] {
    return { remove: { index, alias: this.#filled, must_exist: false } }
  }

  async #delete(index: string): Promise<void> {
    await responseOf('delete', this.#options.client.indices.delete({ index }, { ...ADMIN, ignore: [404] }))
  }
}

/** Marks an alias for writes: the server then refuses it a second index. */
const WRITTEN = { is_write_index: true } as const
/** Aliases move a few times a year; so many conflicts in a row are a fault. */
const MOVE_TRIES_MAX = 5

type AliasState = Readonly<{
  /** Undefined until the first write of this digest. */
  present: string | undefined
  isFilled: boolean
  /** The index with the alias of the generation, if any. */
  serves: string | undefined
  named: readonly { readonly index: string; readonly aliases: readonly string[] }[]
}>

type Actions = readonly estypes.IndicesUpdateAliasesAction[]

function isResponse(error: unknown, reason: string): boolean {
  return error instanceof errors.ResponseError && error.message.includes(reason)
}
