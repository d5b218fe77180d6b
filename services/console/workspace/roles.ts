import { ROLES, type Role } from '@catalog/store/accounts/members.ts'

/** Which roles may change which. */

export const canChange = (own: Role, other: Role) => own === 'owner' || (own === 'admin' && other !== 'owner')

/** The roles that a person with this role may assign. */
export const assignableRoles = (own: Role): readonly Role[] => ROLES.filter((role) => canChange(own, role))
