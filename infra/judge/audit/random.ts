import { failed, type Judge, passed } from '@catalog/judge/harness/verdict.ts'
import { type Deployment, openAsker, type Tables } from './audit.ts'
import { openShapes } from './shapes.ts'

/** Requests on the address of one caller, before another one goes on. */
const REQUESTS_PER_ROW = 20

/**
 * Random requests with the specification's parameters alone, and pages and ids that answers gave. No answer may hold a key that
 * the specification has not, nor lack or bend one that it has.
 */
export function judgeRandomRequests(
  { requests, ...tables }: Tables,
  deployment: Deployment,
  { count, seed, key }: { count: number; seed: number; key: string | undefined },
): Judge {
  return {
    name: '2.7 contract-only requests',
    async run() {
      const shapes = openShapes(tables.shapes)
      const asker = openAsker(tables, deployment)
      const draw = drawer(seed)
      const [ids, pages]: [string[], string[]] = [['ci_none'], []]
      const faults: string[] = []
      const operations = Object.entries(requests.operations)
      for (let n = 0; n < count; n++) {
        if (n % REQUESTS_PER_ROW === 0) asker.nextRow()
        const [path, { shape, parameters }] = draw.from(operations)
        const query = parameters
          .filter((name) => name.endsWith('!') || draw.share() < 0.4)
          .map((name) => name.replace('!', ''))
          .map((name) => `${name}=${draw.from(requests.parameters[name] ?? [''])}`)
        const fresh = `${path.replace('{id}', draw.from(ids))}${query.length > 0 ? `?${query.join('&')}` : ''}`
        const target = path === '/items' && pages.length > 0 && draw.share() < 0.3 ? draw.from(pages) : fresh
        const answer = await asker.ask(`GET ${target}${key === undefined ? '' : ` | Authorization: Bearer ${key}`}`)
        const body = JSON.parse(answer.text)
        faults.push(
          ...shapes.faultsOf(answer.status === 200 ? shape : 'Error', body).map((fault) => `${target}: ${fault}`),
        )
        ids.push(...(body.items ?? body.results ?? []).map(({ id }: { id: string }) => id))
        if (typeof body.cursor === 'string') pages.push(`/items?cursor=${body.cursor}`)
      }
      const { additive, wrong } = shapes.counts
      const says = `${count} requests: ${additive} additive keys (closed), ${wrong} wrong values (open)`
      return faults.length === 0 ? passed(says) : failed(says, faults.join('\n'))
    },
  }
}

/** A linear congruential generator: the same seed draws the same requests. */
function drawer(seed: number) {
  let state = seed >>> 0
  const share = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return { share, from: <One>(list: readonly One[]): One => list[Math.floor(share() * list.length)] as One }
}
