/** What a person of a tenant's may do, by role. Source: docs/specification/people.md#roles. */
import type { Environment } from '../../../db/scope.ts';

export const ROLES = ['owner', 'admin', 'finance', 'reviewer', 'developer', 'read-only'] as const;
export type Role = (typeof ROLES)[number];

const READS_NO_PAPERS = [
  'users:read',
  'leads:read',
  'referrals:read',
  'imports:read',
  'events:read',
  'members:read',
  'commissions:read',
  'plans:read',
  'ledger:read',
  'accounts:read',
  'payouts:read',
] as const;

const ADMIN = [
  ...READS_NO_PAPERS,
  'users:write',
  'leads:write',
  'referrals:write',
  'imports:write',
  'events:write',
  'members:write',
  'members:export',
  'members:erase',
  'identity:read',
  'commissions:write',
  'plans:write',
  'kyc:read',
  'kyc:write',
  'accounts:write',
  'payouts:write',
  'payouts:execute',
  'auth:tokens',
  'sandbox:write',
  'exports:write',
  'admin:rates',
  'admin:auth',
  'admin:keys',
  'admin:settings',
  'admin:audit',
  'admin:kyc',
] as const;

const FINANCE = [
  'users:read',
  'members:read',
  'events:read',
  'plans:read',
  'commissions:read',
  'commissions:write',
  'ledger:read',
  'accounts:read',
  'payouts:read',
  'payouts:write',
  'payouts:approve',
  'payouts:execute',
  'exports:write',
] as const;

const REVIEWER = ['users:read', 'members:read', 'kyc:read', 'admin:kyc', 'admin:audit'] as const;

const DEVELOPER_EVERYWHERE = ['admin:keys', 'admin:auth', 'plans:read', 'events:read', 'admin:audit'] as const;

const DEVELOPER_IN_SANDBOX = [
  ...DEVELOPER_EVERYWHERE,
  ...READS_NO_PAPERS,
  'users:write',
  'leads:write',
  'referrals:write',
  'imports:write',
  'events:write',
  'members:write',
  'commissions:write',
  'plans:write',
  'kyc:write',
  'accounts:write',
  'sandbox:write',
  'exports:write',
] as const;

const RIGHTS: Record<Role, Record<Environment, readonly string[]>> = {
  owner: { LIVE: ['*', 'admin:staff'], SANDBOX: ['*', 'admin:staff'] },
  admin: { LIVE: ADMIN, SANDBOX: ADMIN },
  finance: { LIVE: FINANCE, SANDBOX: FINANCE },
  reviewer: { LIVE: REVIEWER, SANDBOX: REVIEWER },
  developer: { LIVE: DEVELOPER_EVERYWHERE, SANDBOX: DEVELOPER_IN_SANDBOX },
  'read-only': { LIVE: READS_NO_PAPERS, SANDBOX: READS_NO_PAPERS },
};

/** The scopes of a role in an environment. */
export function rightsOf(role: Role, environment: Environment): readonly string[] {
  return RIGHTS[role][environment];
}
