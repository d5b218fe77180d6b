import { ROLES, type Role } from '@catalog/store/accounts/members.ts'

/** Who may change whom in a workspace. */

export const canChange = (own: Role, other: Role) => own === 'owner' || (own === 'admin' && other !== 'owner')

/** The roles that a person in a role gives to others. */
export const assignableRoles = (own: Role): readonly Role[] => ROLES.filter((role) => canChange(own, role))
