import { ApiError } from '@catalog/api/http/errors.ts'
import type { FastifyRequest } from 'fastify'
import { siteOf } from './network.ts'

/** Long work that may be under way at one time in one process. */
export interface Places {
  /** Throws overloaded where the owner, or all together, have too much. Call the result once, when the work ended. */
  enter(owner: string): () => void
}

/** `of` names the work. */
export type PlaceLimits = Readonly<{ of: string; max: number; perOwner: number }>

const RETRY_SECONDS = 5

/** Whose work counts together: that of a workspace, or of a site with all free keys that are used there. */
export const placeOwner = ({ credential, ip }: FastifyRequest): string => credential?.found.workspace_id ?? siteOf(ip)

export function openPlaces({ of, max, perOwner }: PlaceLimits): Places {
  const byOwner = new Map<string, number>()
  let taken = 0
  return {
    enter(owner) {
      const own = byOwner.get(owner) ?? 0
      if (own >= perOwner) throw overloaded(`${own} ${of} of this caller are under way, expected at most ${perOwner}`)
      if (taken >= max) throw overloaded(`${taken} ${of} are under way, expected at most ${max}`)
      taken++
      byOwner.set(owner, own + 1)
      return () => {
        taken--
        const left = (byOwner.get(owner) as number) - 1
        if (left === 0) byOwner.delete(owner)
        else byOwner.set(owner, left)
      }
    },
  }
}

const overloaded = (details: string) => new ApiError('overloaded', details, { retryAfterSeconds: RETRY_SECONDS })
