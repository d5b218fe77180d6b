import { listFeedKeys, rotateFeedKeys } from '@catalog/cli/access/feed-keys.ts'
import { issueKey, listKeys, revokeKey, rotateKey } from '@catalog/cli/access/keys.ts'
import { listSigningKeys, rotateSigning } from '@catalog/cli/access/oauth.ts'
import { DECISIONS, dismissOperator, nameOperator, showOperators } from '@catalog/cli/access/operators.ts'
import { turnOffSecondFactor } from '@catalog/cli/access/second-factor.ts'
import {
  createWorkspace,
  inviteMember,
  listMembers,
  listWorkspaces,
  setWorkspacePlan,
  showAudit,
  showWorkspace,
} from '@catalog/cli/access/workspaces.ts'
import { forgetCorrections } from '@catalog/cli/match/corrections.ts'
import { withCatalog } from '@catalog/cli/shared/context.ts'
import { addList } from '@catalog/cli/shared/list.ts'
import type { Plan } from '@catalog/store/accounts/accounts.ts'
import { ROLES } from '@catalog/store/accounts/members.ts'
import { Argument, type Command, Option } from 'commander'

const PLANS: readonly Plan[] = ['free', 'paid']
const LINKS = 'Links begin with PUBLIC_BASE_URL, or http://127.0.0.1:PORT; catalog up or serve sends the mail.'

export function addWorkspace(program: Command): void {
  const workspace = program
    .command('workspace')
    .description('workspaces, which own keys, people and agents under one cap')
  workspace
    .command('list', { isDefault: true })
    .description('list workspaces, their plans and how many valid keys they have')
    .action(withCatalog(listWorkspaces))
  workspace
    .command('show')
    .description('show its plan, people, agents and keys, and what they used')
    .argument('<workspace>', 'id or name')
    .action(withCatalog(showWorkspace))
  workspace
    .command('audit')
    .description('show who did what to it, the newest first')
    .argument('<workspace>', 'id or name')
    .option('--limit <n>', 'rows to show', '50')
    .action(withCatalog(showAudit))
  workspace
    .command('forget-corrections')
    .description('forget what its people said that lines of lists mean')
    .argument('<workspace>', 'id or name')
    .action(withCatalog(forgetCorrections))
  addPlans(workspace)
  addMembers(workspace)
  addSecondFactors(workspace)
}

export function addOperators(program: Command): void {
  const operators = program
    .command('operators')
    .description('people who decide and watch at /console/operator, and what they decided')
  operators.command('list', { isDefault: true }).description('list them').action(withCatalog(showOperators))
  operators
    .command('add')
    .description('make a person an operator, who has signed up in the console')
    .argument('<email>', 'of the person')
    .action(withCatalog(nameOperator))
  operators
    .command('remove')
    .description('make a person no operator any more')
    .argument('<email>', 'of the person')
    .action(withCatalog(dismissOperator))
  addList(
    operators.command('decisions').description('show what was decided in the console, by whom, the newest first'),
    { rows: 'rows', place: 'number', list: DECISIONS },
  )
}

function addPlans(workspace: Command): void {
  workspace
    .command('create')
    .description('create a workspace and the invitation of its owner')
    .argument('<name>', 'a name that no other workspace has')
    .addOption(new Option('--plan <plan>', 'free: no organization keys').choices(PLANS).default('paid'))
    .option('--owner <email>', 'invite by mail; the link is shown too')
    .addHelpText('after', `\n${LINKS}`)
    .action(withCatalog(createWorkspace))
  workspace
    .command('plan')
    .description('set the plan: free has no organization keys, and agents have the limits of a developer key')
    .argument('<workspace>', 'id or name')
    .addArgument(new Argument('<plan>').choices(PLANS))
    .action(withCatalog(setWorkspacePlan))
}

function addMembers(workspace: Command): void {
  workspace
    .command('invite')
    .description('invite somebody by mail; the link is shown too')
    .argument('<workspace>', 'id or name')
    .argument('<email>', 'of the person')
    .addOption(new Option('--role <role>', 'what the person may do').choices(ROLES).default('member'))
    .addHelpText('after', `\n${LINKS}`)
    .action(withCatalog(inviteMember))
  workspace
    .command('members')
    .description('list members and open invitations')
    .argument('<workspace>', 'id or name')
    .action(withCatalog(listMembers))
}

function addSecondFactors(workspace: Command): void {
  workspace
    .command('second-factor-off')
    .description('turn off the second factor of a person who lost the authenticator and all recovery codes')
    .argument('<email>', 'of the account')
    .addHelpText(
      'after',
      '\nSee first that the person is who they say: whoever has the password, or the mail, gets in then.',
    )
    .action(withCatalog(turnOffSecondFactor))
}

export function addKeys(program: Command): void {
  const keys = program.command('keys').description('API keys: those of workspaces, and developers’ own')
  keys
    .command('list', { isDefault: true })
    .description('list the newest keys, without their secrets')
    .option('--workspace <id>', 'only those of a workspace, by id or name')
    .option('--email <address>', 'only those that a developer signed up for with this address')
    .option('--limit <n>', 'keys to show', '50')
    .action(withCatalog(listKeys))
  keys
    .command('issue')
    .description('issue an organization key of a workspace on the paid plan; it is shown once')
    .requiredOption('--workspace <id>', 'the workspace, by id or name')
    .requiredOption('--name <text>', 'what the key is for')
    .action(withCatalog(issueKey))
  keys
    .command('rotate')
    .description('replace an organization key; the former one stays valid for 24 hours')
    .argument('<key-id>', 'id of the key')
    .action(withCatalog(rotateKey))
  keys
    .command('revoke')
    .description('refuse a key from now on, for ever')
    .argument('<key-id>', 'id of the key')
    .action(withCatalog(revokeKey))
}

export function addOauth(program: Command): void {
  const oauth = program.command('oauth').description('the keys that sign the tokens of agents')
  oauth
    .command('keys', { isDefault: true })
    .description('list them, and which one signs')
    .action(withCatalog(listSigningKeys))
  oauth
    .command('rotate')
    .description('make a new key, which signs in ten minutes; older signatures stay valid until they expire')
    .option('--now', 'for a leaked key: the new one signs at once, and all older signatures are refused')
    .action(withCatalog(rotateSigning))
}

export function addFeedKeys(program: Command): void {
  const keys = program
    .command('feed-keys')
    .description('the keys that sign the feeds, digests and snapshots, by which mirrors know this catalog')
  keys
    .command('list', { isDefault: true })
    .description('list them, the oldest first, and which ones sign; makes the first one')
    .action(withCatalog(listFeedKeys))
  keys
    .command('rotate')
    .description(
      'make a new key, endorsed by the present one; both sign for 90 days, then the secret of the old one goes',
    )
    .action(withCatalog(rotateFeedKeys))
}
