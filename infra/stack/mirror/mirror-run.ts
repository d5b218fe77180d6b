import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import type { PublicState } from '@catalog/core/events/items.ts'
import { DAY_MS, MINUTE_MS } from '@catalog/core/time.ts'
import { openDownloads } from '@catalog/mirror/downloads.ts'
import { type Mirror, openMirror } from '@catalog/mirror/mirror.ts'
import { MirrorError } from '@catalog/mirror/mirror-error.ts'
import fc from 'fast-check'
import { type Audit, openAudit } from './audit.ts'
import { FORGERIES, type Forgers, type Forgery, openForgers } from './forgers.ts'
import { type ModelOrigin, openModelOrigin } from './mirror-model.ts'
import { type Rot, rot, rotRow, verified } from './mirror-rot.ts'
import { type ModelAnswer, modelSigning, responseOf } from './origin-documents.ts'
import type { Fault } from './origin-fold.ts'

/**
 * Random histories of an origin with mirrors around it, and the protocol's invariants I1 to I7 in each. Clients are
 * real; network, caches and power supply belong to the model.
 */
type OriginCommand =
  | Readonly<{ do: 'publish'; item: number; cents: number; regions: readonly string[]; name: string }>
  | Readonly<{ do: 'remove'; item: number; into: number | null }>
  | Readonly<{ do: 'repeat' | 'mark' | 'snapshot' | 'backup' | 'restore' }>
  | Readonly<{ do: 'trim'; pages: number }>
  | Readonly<{ do: 'resize'; pageSize: number }>
/** Clients that poll side by side while the origin goes on. */
type PollCommand = Readonly<{
  do: 'poll'
  polls: readonly Poll[]
  /** Commands that run in order, one before each further request. */
  meanwhile: readonly OriginCommand[]
}>
type Poll = Readonly<{
  client: number
  /** The cache on the way: its entry may be long outdated. */
  cache: number
  /** Whether the cache answers each request from its entry, repeated cyclically. */
  stale: readonly boolean[]
  /** Answers from the cache even when a request asks to bypass it. */
  isStubborn: boolean
  /** The power fails at this step: a request, a checked answer or a commit. */
  crashAt: number | null
  /** Who answers in the place of the origin. */
  forgery: Forgery | null
}>
type Command = OriginCommand | PollCommand
type History = Readonly<{
  pageSize: number
  answersSince: boolean
  hasScopeFiles: boolean
  /** A row of each copy that rots at the end. */
  rot: Rot
  commands: readonly Command[]
}>

const COMMANDS_MAX = 200
const FIRST_MS = Date.parse('2026-01-05T00:00:00Z')
/** A state.json is valid for two days. */
const FROZEN_MS = 3 * DAY_MS
const ITEMS = 7
const REGIONS = ['ES', 'EU', 'MX']
const CACHES = 2
const CLIENT_SCOPES = ['items', 'items', 'region/ES', 'region/EU']
const NAMES = ['Cement', 'Ladrillo <hueco> & "doble"', ']]> \u{1f9f1} e\u0301\u2028', ' tabs\tand\r\nlines ']

const item = fc.nat(ITEMS - 1)
const pageSize = fc.integer({ min: 1, max: 6 })
const publish = fc.record({
  do: fc.constant('publish' as const),
  item,
  cents: fc.integer({ min: 1, max: 4 }),
  regions: fc.subarray(REGIONS),
  name: fc.constantFrom(...NAMES),
})
const remove = fc.record({ do: fc.constant('remove' as const), item, into: fc.option(item) })
const plain = (name: 'repeat' | 'mark' | 'snapshot' | 'backup' | 'restore') => fc.constant({ do: name })
const trim = fc.record({ do: fc.constant('trim' as const), pages: fc.integer({ min: 1, max: 3 }) })
const resize = fc.record({ do: fc.constant('resize' as const), pageSize })
const originCommand: fc.Arbitrary<OriginCommand> = fc.oneof(
  { weight: 16, arbitrary: publish },
  { weight: 3, arbitrary: remove },
  { weight: 1, arbitrary: plain('repeat') },
  { weight: 4, arbitrary: plain('mark') },
  { weight: 1, arbitrary: plain('snapshot') },
  { weight: 1, arbitrary: trim },
  { weight: 1, arbitrary: plain('backup') },
  { weight: 1, arbitrary: fc.oneof(plain('restore'), resize) },
)
const poll: fc.Arbitrary<Poll> = fc.record({
  client: fc.nat(CLIENT_SCOPES.length - 1),
  cache: fc.nat(CACHES - 1),
  stale: fc.oneof(fc.constantFrom([], [], [true]), fc.array(fc.boolean(), { minLength: 1, maxLength: 4 })),
  isStubborn: fc.boolean(),
  forgery: fc.option(fc.constantFrom(...FORGERIES), { freq: 3 }),
  crashAt: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(14) }),
})
const pollCommand: fc.Arbitrary<PollCommand> = fc.record({
  do: fc.constant('poll' as const),
  polls: fc.uniqueArray(poll, { minLength: 1, maxLength: 3, selector: ({ client }) => client }),
  meanwhile: fc.oneof(fc.constant([]), fc.array(originCommand, { maxLength: 3 })),
})
const history: fc.Arbitrary<History> = fc.record({
  pageSize,
  answersSince: fc.boolean(),
  hasScopeFiles: fc.boolean(),
  rot,
  commands: fc.array(fc.oneof({ weight: 7, arbitrary: originCommand }, { weight: 1, arbitrary: pollCommand }), {
    maxLength: COMMANDS_MAX,
    size: 'max',
  }),
})

/** How polls ended, so that a property that never ran does not pass unnoticed. */
export type Tally = Record<
  'synced' | 'unsettled' | 'powerCut' | 'fromSnapshot' | 'adopted' | 'commands' | 'held' | 'rotted' | Forgery,
  number
>
export const newTally = (): Tally => ({
  synced: 0,
  unsettled: 0,
  powerCut: 0,
  fromSnapshot: 0,
  adopted: 0,
  commands: 0,
  held: 0,
  rotted: 0,
  emptied: 0,
  rewritten: 0,
  unsigned: 0,
  frozen: 0,
})

/** Whether every history of the origin leaves every mirror equal to it; false for an origin with a fault. */
export const mirrorsAreEqual = (tally: Tally, fault?: Fault) =>
  fc.asyncProperty(history, (given) => runHistory(given, { tally, fault }))

async function runHistory(
  { pageSize, commands, rot, ...having }: History,
  { tally, fault }: { tally: Tally; fault: Fault | undefined },
): Promise<void> {
  const clock = { ms: FIRST_MS }
  const now = () => new Date(clock.ms)
  const origin = openModelOrigin({ pageSize, fault, ...having, signing: modelSigning(now) })
  const forgers = openForgers(origin, { pageSize, now })
  const seen = openAudit()
  const caches = Array.from({ length: CACHES }, () => new Map<string, ModelAnswer>())
  const clients = CLIENT_SCOPES.map((scope) => new MirrorClient({ scope, origin, seen, caches, tally, clock, forgers }))
  tally.commands += commands.length
  for (const command of commands) {
    clock.ms += MINUTE_MS
    if (command.do === 'poll') await pollTogether(command, { origin, clients })
    else execute(origin, command)
  }
  for (const client of clients) {
    await client.settle()
    client.requireEqual()
    await client.rot(rot)
    client.close()
  }
}

async function pollTogether(
  { polls, meanwhile }: PollCommand,
  { origin, clients }: { origin: ModelOrigin; clients: readonly Client[] },
): Promise<void> {
  const waiting = [...meanwhile]
  const next = () => {
    const command = waiting.shift()
    if (command !== undefined) execute(origin, command)
  }
  await Promise.all(polls.map((poll) => (clients[poll.client] as Client).poll(poll, meanwhile, next)))
}

function execute(origin: ModelOrigin, command: OriginCommand): void {
  if (command.do === 'publish') origin.publish(command)
  else if (command.do === 'remove') origin.remove(command)
  else if (command.do === 'trim') origin.trim(command.pages)
  else if (command.do === 'resize') origin.resize(command.pageSize)
  else origin[command.do]()
  if (command.do === 'mark') requireFolds(origin)
}

type Client = Readonly<{
  /** `meanwhile` holds commands of the origin during the poll, one at each `next`. */
  poll: (poll: Poll, meanwhile: readonly OriginCommand[], next?: () => void) => Promise<void>
  /** Polls without disturbance, until nothing is held. */
  settle: () => Promise<void>
  /** I4: the copy equals the origin at its head. */
  requireEqual: () => void
  /** A verification names what rotted in the copy, and repairs it while the origin can tell it. */
  rot: (rot: Rot) => Promise<void>
  close: () => void
}>

class PowerCut extends Error {
  override name = 'PowerCut'
}

type ClientParts = Readonly<{
  scope: string
  origin: ModelOrigin
  seen: Audit
  caches: readonly Map<string, ModelAnswer>[]
  tally: Tally
  clock: { ms: number }
  forgers: Forgers
}>

class MirrorClient implements Client {
  private readonly scope: string
  private readonly origin: ModelOrigin
  private readonly seen: Audit
  private readonly caches: readonly Map<string, ModelAnswer>[]
  private readonly tally: Tally
  private readonly clock: { ms: number }
  private readonly forgers: Forgers
  /** The generation that an operator accepted, after a look at the origin. */
  private accepted: string | undefined
  /** How long ago this client’s origin was stopped. */
  private aheadMs = 0
  private readonly into = new DatabaseSync(':memory:')
  private asking!: { poll: Poll; next: () => void; steps: number; requests: number; power: AbortController }
  private mirror: Mirror
  private last: ReturnType<Mirror['state']>

  constructor({ scope, origin, seen, caches, tally, clock, forgers }: ClientParts) {
    this.scope = scope
    this.origin = origin
    this.seen = seen
    this.caches = caches
    this.tally = tally
    this.clock = clock
    this.forgers = forgers
    this.mirror = this.open()
    this.last = this.mirror.state()
  }

  private open(): Mirror {
    return openMirror({
      url: this.origin.baseUrl,
      scope: this.scope,
      into: this.into,
      fetch: ((url: string, init: { headers: Record<string, string> }) => this.fetchModel(url, init)) as typeof fetch,
      wait: async () => {},
      now: () => new Date(this.clock.ms + this.aheadMs),
      acceptGeneration: this.accepted,
      onProgress: () => this.step(),
    })
  }

  private step(): void {
    if (this.asking.steps++ !== this.asking.poll.crashAt) return
    this.asking.power.abort(new PowerCut())
    throw this.asking.power.signal.reason
  }

  private async fetchModel(url: string, init: { headers: Record<string, string> }): Promise<Response> {
    this.step()
    const { forgery } = this.asking.poll
    if (forgery !== null) return responseOf(this.forgers[forgery](url), init)
    this.asking.next()
    const { stale, isStubborn } = this.asking.poll
    const cache = this.caches[this.asking.poll.cache] as Map<string, ModelAnswer>
    const passesCache = init.headers['cache-control'] === 'no-cache' && !isStubborn
    const held = cache.get(url)
    const isStale = held !== undefined && !passesCache && stale[this.asking.requests++ % stale.length] === true
    const answer = isStale ? held : this.origin.answer(url)
    if (answer.status === 200 && !isStale) {
      this.seen.document(url, answer)
      cache.set(url, answer)
    }
    // Other clients may run between two requests of this one.
    await null
    this.step()
    return responseOf(answer, init)
  }

  private requireLaw(): void {
    const now = this.mirror.state()
    if (now === null) return
    if (this.last !== null && now.gen === this.last.gen && now.seq < this.last.seq) {
      throw new Error(`${this.scope}: went back from seq ${this.last.seq} to ${now.seq}`)
    }
    if (this.last !== null && now.gen < this.last.gen) throw new Error(`${this.scope}: went back to gen ${now.gen}`)
    this.last = now
    requireSame(
      `${this.scope} at seq ${now.seq}`,
      new Map([...this.mirror.items()].map(({ id, state }) => [id, state])),
      this.origin.stateAt(now),
    )
  }

  async settle(): Promise<void> {
    let held: number
    do {
      held = this.tally.held
      await this.poll({ client: 0, cache: 0, stale: [], isStubborn: false, crashAt: null, forgery: null }, [])
    } while (this.tally.held > held)
  }

  async poll(poll: Poll, meanwhile: readonly OriginCommand[], next: () => void = () => {}): Promise<void> {
    if (poll.forgery === null) return await this.pollOrigin(poll, meanwhile, next)
    // Nobody is known before the first contact.
    if (this.mirror.state()?.identity) await this.pollForger(poll, poll.forgery)
  }

  /** Nothing that a forger says changes the copy. */
  private async pollForger(poll: Poll, forgery: Forgery): Promise<void> {
    const [before, rows] = [this.mirror.state(), [...this.mirror.items()]]
    this.asking = {
      poll: { ...poll, crashAt: null },
      next: () => {},
      steps: 0,
      requests: 0,
      power: new AbortController(),
    }
    if (forgery === 'frozen') this.aheadMs = FROZEN_MS
    const failure: unknown = await this.mirror.sync().then(
      () => null,
      (error) => error,
    )
    this.aheadMs = 0
    if (!(failure instanceof MirrorError) || failure.kind !== 'refused')
      throw new Error(`${this.scope}: expected the ${forgery} origin to be refused, found ${failure}`)
    const after = [this.mirror.state(), [...this.mirror.items()]]
    if (!isDeepStrictEqual(after, [before, rows]))
      throw new Error(`${this.scope}: the ${forgery} origin changed the copy`)
    this.tally[forgery] += 1
  }

  private async pollOrigin(poll: Poll, meanwhile: readonly OriginCommand[], next: () => void): Promise<void> {
    const power = new AbortController()
    this.asking = { poll, next, steps: 0, requests: 0, power }
    const isQuiet = meanwhile.length === 0 && !poll.stale.includes(true)
    try {
      const { restart: began, repaired } = await this.mirror.sync({ signal: power.signal })
      // A repair would hide an earlier error of the copy.
      if (repaired > 0) throw new Error(`${this.scope}: ${repaired} buckets were wrong`)
      this.tally.synced += 1
      if (began === 'snapshot') this.tally.fromSnapshot += 1
      if (began === 'adopted') this.tally.adopted += 1
      this.requireLaw()
      if (isQuiet) this.requireEqual()
    } catch (error) {
      const isPowerCut = error instanceof PowerCut
      const isHeld = error instanceof MirrorError && error.message.endsWith(`--accept-generation ${this.origin.gen()}`)
      const isOutdated = error instanceof MirrorError && ['unsettled', 'refused'].includes(error.kind) && !isQuiet
      if (!isPowerCut && !isHeld && !isOutdated) throw error
      this.tally[isPowerCut ? 'powerCut' : isHeld ? 'held' : 'unsettled'] += 1
      if (isHeld) this.accepted = this.origin.gen()
      // A power cut leaves only the database.
      if (isPowerCut || isHeld) this.mirror = this.open()
      this.requireLaw()
    }
  }

  requireEqual(): void {
    const { gen, seq } = this.mirror.state() as { gen: string; seq: number }
    const [theirs, ours] = [`${this.origin.gen()} ${this.origin.head(this.scope)}`, `${gen} ${seq}`]
    if (theirs !== ours) throw new Error(`${this.scope}: expected ${theirs}, found ${ours}`)
    this.requireLaw()
  }

  async rot(rot: Rot): Promise<void> {
    if (!rotRow(this.into, rot)) return
    const fetch = (async (url: string, init: { headers: Record<string, string> }) =>
      responseOf(this.origin.answer(url), init)) as typeof globalThis.fetch
    const { scope, into: db, clock, origin } = this
    const check = { url: origin.baseUrl, scope, db, downloads: openDownloads({ fetch }), now: () => new Date(clock.ms) }
    const { found, repaired } = await verified(check)
    if (found === 0) throw new Error(`${scope}: expected a finding where ${JSON.stringify(rot)} rotted`)
    if (repaired === found) this.requireEqual()
    this.tally.rotted += 1
  }

  close(): void {
    this.into.close()
  }
}

/**
 * I3: the fold of the changes equals what readers of the API see. I6: the fold of a region's changes equals its part.
 */
function requireFolds(origin: ModelOrigin): void {
  const gen = origin.gen()
  const whole = origin.stateAt({ gen, scope: 'items', seq: Number.MAX_SAFE_INTEGER })
  requireSame('I3: items', whole, origin.readModel())
  for (const region of REGIONS) {
    const part = [...whole].filter(([, state]) => (JSON.parse(state) as PublicState).regions.includes(region))
    const scope = `region/${region}`
    requireSame(`I6: ${scope}`, origin.stateAt({ gen, scope, seq: Number.MAX_SAFE_INTEGER }), new Map(part))
  }
}

function requireSame(what: string, found: ReadonlyMap<string, string>, expected: ReadonlyMap<string, string>): void {
  const wrong = [...new Set([...found.keys(), ...expected.keys()])].find((id) => found.get(id) !== expected.get(id))
  if (wrong !== undefined) {
    throw new Error(`${what}: ${wrong}: expected ${expected.get(wrong)}, found ${found.get(wrong)}`)
  }
}
