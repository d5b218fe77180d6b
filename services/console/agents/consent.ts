import { newId } from '@catalog/access/keys.ts'
import { SCOPES, type Scope } from '@catalog/api/agents/mcp-tools.ts'
import { MCP_PATH } from '@catalog/api/contract/shared/mcp-paths.ts'
import type { ConsoleContext, Session } from '@catalog/console/pages/context.ts'
import { sendPage } from '@catalog/console/pages/html.ts'
import { PageError, refusal } from '@catalog/console/pages/page-error.ts'
import { requireSession } from '@catalog/console/sessions/session.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { choice, form, notice } from '@catalog/pages/parts.ts'
import { connectAgent, findConnected, listAgents } from '@catalog/store/accounts/agents.ts'
import { appendAudit, workspacesOf } from '@catalog/store/accounts/members.ts'
import { extendPayload } from '@catalog/store/accounts/oauth.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors, type Provider } from 'oidc-provider'
import type { AuthorizationServer } from './oauth.ts'
import { CONSENT_PATH, GRANT_TTL_SECONDS } from './provider-configuration.ts'

/** The consent page: it shows who asks, where the answer goes, for which scopes and for which workspace. */

/** A client with a consent stays registered this long, so that it can return. */
const CLIENT_KEPT_MS = 90 * DAY_MS
const NAME_CHARS_MAX = 80

type AuthorizationRequest = Readonly<{
  provider: Provider
  clientId: string
  clientName: string
  /** The host that publishes the client's metadata; null for a registered client, which proves nothing. */
  publishedBy: string | null
  redirectUri: URL
  /** The requested scopes in the order of the list; `otherScopes` are those of the protocol. */
  scopes: readonly Scope[]
  otherScopes: readonly string[]
}>

const SCOPE_TEXT: Readonly<Record<Scope, string>> = {
  'catalog:read': 'Read items, prices, categories and recipes of the catalog',
  'catalog:search': 'Search the catalog',
}

export function consentRoutes(
  app: FastifyInstance,
  context: ConsoleContext,
  server: Pick<AuthorizationServer, 'provider'>,
): void {
  const { store } = context
  const path = `${CONSENT_PATH.slice('/console'.length)}/:uid`

  app.get(path, async (request, reply) => {
    const { userId } = requireSession(request)
    const agent = await readRequest(server, request, reply)
    const workspaces = await workspacesOf(store, userId)
    return sendPage(reply, {
      title: `Let ${agent.clientName} use the catalog?`,
      body: workspaces.length === 0 ? notice('error', NO_WORKSPACE) : consentForm(request, agent, workspaces),
      // The form ends at the client by a redirect, and browsers check that target too.
      formTargets: [formTargetOf(agent.redirectUri)],
    })
  })

  app.post(path, async (request, reply) => {
    const person = requireSession(request)
    const agent = await readRequest(server, request, reply)
    const { decision, workspace } = Object(request.body) as { decision?: unknown; workspace?: unknown }
    if (decision !== 'allow') {
      const denial = { error: 'access_denied', error_description: 'the person denied access' }
      return await finishInteraction(agent.provider, denial, request, reply)
    }
    const memberships = await workspacesOf(store, person.userId)
    const membership = memberships.find(({ workspace_id }) => workspace_id === workspace)
    if (membership === undefined) throw new PageError(400, 'No such workspace', 'Choose one of your workspaces.')
    const grantId = await grantAccess(context, agent, { person, workspaceId: membership.workspace_id })
    const result = { login: { accountId: person.userId, remember: false }, consent: { grantId } }
    return await finishInteraction(agent.provider, result, request, reply)
  })
}

/** Connects the agent to the workspace, records that in its audit log, and answers the id of the grant. */
async function grantAccess(
  { store, origin, now }: ConsoleContext,
  { provider, clientId, clientName, scopes, otherScopes, redirectUri }: AuthorizationRequest,
  { person, workspaceId }: { person: Session; workspaceId: string },
): Promise<string> {
  const { userId, email } = person
  const at = instant(now())
  const agents = await listAgents(store, { workspaceId, userId, limit: AGENTS_PER_PERSON_MAX })
  const others = agents.filter(({ revoked_at, client_id }) => revoked_at === null && client_id !== clientId)
  if (others.length >= AGENTS_PER_PERSON_MAX) throw refusal('agents_full', AGENTS_PER_PERSON_MAX)
  const connected = await findConnected(store, { userId, clientId, workspaceId })
  const standing = connected && (await provider.Grant.find(connected.grant_id))
  const grant = standing ?? new provider.Grant({ accountId: userId, clientId })
  grant.addOIDCScope([...scopes, ...otherScopes].join(' '))
  grant.addResourceScope(origin + MCP_PATH, scopes.join(' '))
  // A standing grant gets a new lifetime with each consent.
  grant.exp = Math.floor(now().getTime() / 1000) + GRANT_TTL_SECONDS
  const grantId = await grant.save()
  const granted = grant.getResourceScope(origin + MCP_PATH).split(' ')
  const redirectHost = destinationOf(redirectUri)
  await store.transaction(async (tx) => {
    await connectAgent(tx, {
      agentId: newId('agt_'),
      workspaceId,
      userId,
      clientId,
      clientName,
      grantId,
      at,
      scope: SCOPES.filter((scope) => granted.includes(scope)).join(' '),
      redirectHost,
    })
    const details = { scope: scopes.join(' '), client: clientId, to: redirectHost }
    await appendAudit(tx, { workspaceId, at, actor: email, action: 'agent.connected', target: clientName, details })
  })
  const expiresAt = instant(new Date(now().getTime() + CLIENT_KEPT_MS))
  await extendPayload(store, { model: 'Client', id: clientId, expiresAt })
  return grantId
}

/** Reads the authorization request that the library's cookie names. */
async function readRequest(
  server: Pick<AuthorizationServer, 'provider'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<AuthorizationRequest> {
  const provider = await server.provider()
  try {
    const { uid, params } = await provider.interactionDetails(request.raw, reply.raw)
    const client = await provider.Client.find(String(params.client_id))
    if (uid !== (request.params as { uid: string }).uid || client === undefined) throw refusal('request_ended')
    const requestedScopes = String(params.scope ?? '').split(' ')
    return {
      provider,
      clientId: client.clientId,
      clientName: nameOf(client.clientName, client.clientId),
      publishedBy: client.clientId.startsWith('https://') ? new URL(client.clientId).host : null,
      redirectUri: new URL(String(params.redirect_uri)),
      scopes: SCOPES.filter((scope) => requestedScopes.includes(scope)),
      otherScopes: requestedScopes.filter((scope) => scope === 'openid' || scope === 'offline_access'),
    }
  } catch (error) {
    if (error instanceof errors.SessionNotFound) throw refusal('request_ended')
    throw error
  }
}

/** Bounds agents of one person in one workspace; programs that register at each start would fill the list. */
const AGENTS_PER_PERSON_MAX = 20
const NO_WORKSPACE =
  'You belong to no workspace. An agent works for one: ask for an invitation, or create an account with another address.'

/** Hands the result to the library, which leads the browser to the client. */
async function finishInteraction(
  provider: Provider,
  result: Parameters<Provider['interactionResult']>[2],
  { raw }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const next = await provider.interactionResult(raw, reply.raw, result, { mergeWithLastSubmission: false })
  return reply.redirect(next, 303)
}

function consentForm(
  request: FastifyRequest,
  { clientId, clientName, publishedBy, redirectUri, scopes }: AuthorizationRequest,
  workspaces: Awaited<ReturnType<typeof workspacesOf>>,
): Markup {
  const identity =
    publishedBy === null
      ? html`A program that calls itself <strong>${clientName}</strong>. This name is unverified.`
      : html`<strong>${clientName}</strong>, as published by <strong>${publishedBy}</strong>
          <span class="hint">(${clientId})</span>`
  const warning = isLocal(redirectUri)
    ? notice('info', 'The answer goes to a program on this computer. Continue only if you have just started it.')
    : ''
  const options = workspaces.map(({ workspace_id, name, plan }) => ({
    value: workspace_id,
    text: plan === 'paid' ? name : `${name} (free plan)`,
  }))
  const action = request.url
  return html`<dl>
      <dt>Who asks</dt><dd>!${identity}</dd>
      <dt>The answer goes to</dt><dd><strong>${destinationOf(redirectUri)}</strong></dd>
      <dt>It may</dt><dd><ul>!${scopes.map((scope) => html`<li>${SCOPE_TEXT[scope]} <code>${scope}</code></li>`)}</ul></dd>
      <dt>Until</dt><dd>you revoke it on the page of the workspace; after 30 days it must ask again</dd>
    </dl>
    !${warning}
    !${form({
      action,
      submit: 'Allow',
      hidden: { decision: 'allow' },
      fields: choice({ name: 'workspace', label: 'For which workspace', options }),
    })}
    !${form({ action, submit: 'Deny', hidden: { decision: 'deny' }, isPlain: true })}`
}

/** The redirect target as people read it. */
function destinationOf({ protocol, host }: URL): string {
  return protocol === 'https:' || protocol === 'http:' ? host : `${protocol} (an app on this computer)`
}

function isLocal({ protocol, hostname }: URL): boolean {
  return protocol !== 'https:' || hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
}

const formTargetOf = ({ protocol, origin }: URL) => (protocol === 'https:' || protocol === 'http:' ? origin : protocol)

/** One line of bounded length; the id when the client has no name. */
function nameOf(given: string | undefined, clientId: string): string {
  const name = (given ?? '').replace(/[\p{C}\p{Z}]+/gu, ' ').trim() || clientId
  return name.length <= NAME_CHARS_MAX ? name : `${name.slice(0, NAME_CHARS_MAX)}…`
}
