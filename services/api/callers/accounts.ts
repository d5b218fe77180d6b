import { type Counter, counterOf, leaseSize, type Owner } from '@catalog/access/counter.ts'
import type { Usage } from '@catalog/access/usage.ts'
import type { FoundKey, Plan } from '@catalog/store/accounts/accounts.ts'
import { LRUCache } from 'lru-cache'
import { networkOf } from './network.ts'
import { type Caller, callersOf, type Limits } from './rate-limits.ts'

/** One caller in this process, with the buckets that count its requests. */
export type Account = {
  readonly caller: Caller
  readonly owner: Owner
  readonly minute: Counter
  readonly month: Counter | undefined
  /** Created on first use. */
  search: Counter | undefined
  revalidation: Counter | undefined
  /** Of an address: what holders of a key ask there about their key. */
  service: Counter | undefined
  /** Of an address: what all free keys ask there together. */
  shared: Counter | undefined
  sharedSearch: Counter | undefined
  /** Start of the minute that last refused a key from this address. */
  refusedMs: number
}

/** `usage` undefined: an anonymous caller. */
export type KnownCaller = Readonly<{
  account: Account
  usage: Usage | undefined
  /** That of a free key. */
  address?: Account | undefined
}>

/** About 30 MB of addresses, and 15 MB of keys. Two caches, so that a flood of addresses evicts no key. */
const ADDRESSES_MAX = 100_000
const OWNERS_MAX = 50_000

export interface Accounts {
  ofAddress(ip: string): Account
  /** Undefined when this process does not remember exactly this address; creates nothing. */
  ofKnownAddress(ip: string): Account | undefined
  ofKey(found: FoundKey): Account
  ofWorkspace(workspaceId: string, plan: Plan): Account
}

export function openAccounts({
  limits,
  release,
}: {
  limits: Limits
  /** Gives back the lease of a counter that leaves the cache. */
  release: (counter: Counter) => void
}): Accounts {
  const callers = callersOf(limits)
  const dispose = (account: Account) => {
    const { minute, month, search, revalidation, service, shared, sharedSearch } = account
    for (const counter of [minute, month, search, revalidation, service, shared, sharedSearch])
      if (counter !== undefined) release(counter)
  }
  const addresses = new LRUCache<string, Account>({ max: ADDRESSES_MAX, dispose })
  const owners = new LRUCache<string, Account>({ max: OWNERS_MAX, dispose })

  function ofOwner(kind: 'key' | 'workspace', id: string, caller: Caller): Account {
    const known = owners.get(id)
    // A changed plan brings new limits, so it needs a new account.
    return known?.caller === caller ? known : added(owners, accountWith(caller, { kind, id }))
  }
  function ofWorkspace(workspaceId: string, plan: Plan): Account {
    return ofOwner('workspace', workspaceId, plan === 'paid' ? callers.workspace : callers.developer)
  }
  return {
    ofWorkspace,
    ofAddress(ip) {
      // An IPv4 address is its own network: skip the parsing.
      const known = addresses.get(ip)
      if (known !== undefined) return known
      const network = networkOf(ip)
      return addresses.get(network) ?? added(addresses, accountWith(callers.anon, { kind: 'ip', id: network }))
    },
    ofKnownAddress: (ip) => addresses.get(ip),
    ofKey(found) {
      return found.kind === 'org'
        ? ofWorkspace(found.workspace_id, found.plan)
        : ofOwner('key', found.key_id, callers.developer)
    },
  }
}

function added(accounts: LRUCache<string, Account>, account: Account): Account {
  accounts.set(account.owner.id, account)
  return account
}

function accountWith(caller: Caller, owner: Owner): Account {
  const { perMinute, perMonth } = caller
  const minute = counterOf({ owner, counts: 'minute', period: 'minute', limit: perMinute })
  // Requests take one from each bucket, so both leases have the same size.
  const lease = leaseSize(perMinute)
  const month =
    perMonth === null ? undefined : counterOf({ owner, counts: 'month', period: 'month', limit: perMonth, lease })
  return {
    caller,
    owner,
    minute,
    month,
    search: undefined,
    revalidation: undefined,
    service: undefined,
    shared: undefined,
    sharedSearch: undefined,
    refusedMs: Number.NaN,
  }
}
