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
import { listing } from '@catalog/cli/shared/list.ts'
import type { Actions } from './actions.ts'

export const ACTIONS: Actions = {
  'workspace list': withCatalog(listWorkspaces),
  'workspace show': withCatalog(showWorkspace),
  'workspace audit': withCatalog(showAudit),
  'workspace forget-corrections': withCatalog(forgetCorrections),
  'workspace create': withCatalog(createWorkspace),
  'workspace plan': withCatalog(setWorkspacePlan),
  'workspace invite': withCatalog(inviteMember),
  'workspace members': withCatalog(listMembers),
  'workspace second-factor-off': withCatalog(turnOffSecondFactor),
  'operators list': withCatalog(showOperators),
  'operators add': withCatalog(nameOperator),
  'operators remove': withCatalog(dismissOperator),
  'operators decisions': listing(DECISIONS),
  'keys list': withCatalog(listKeys),
  'keys issue': withCatalog(issueKey),
  'keys rotate': withCatalog(rotateKey),
  'keys revoke': withCatalog(revokeKey),
  'oauth keys': withCatalog(listSigningKeys),
  'oauth rotate': withCatalog(rotateSigning),
  'feed-keys list': withCatalog(listFeedKeys),
  'feed-keys rotate': withCatalog(rotateFeedKeys),
}
