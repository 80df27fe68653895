/** What a person of a tenant's may do, by role. Source: docs/specification/people.md#roles. */
import type { Environment } from '../../../db/scope.ts';

export const ROLES = ['owner', 'admin', 'finance', 'reviewer', 'developer', 'read-only'] as const;
export type Role = (typeof ROLES)[number];

/** What an administrator is not given: people, approving payments, and money by hand. */
const BEYOND_ADMIN = ['admin:staff', 'payouts:approve', 'commissions:grant'];

/** What a reader does not see: verifications with their documents, and ID numbers; of events no objects of theirs. */
const PAPERS = ['kyc:read', 'identity:read'];

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
];

const REVIEWER = ['users:read', 'members:read', 'kyc:read', 'admin:kyc', 'audit:kyc'];

const DEVELOPER = ['admin:keys', 'admin:auth', 'plans:read', 'events:read', 'webhooks:read', 'webhooks:write'];

/** Of a role in an environment, given all scopes that there are: what is added later has its place too. */
type Rights = (all: readonly string[], environment: Environment) => readonly string[];

const reads = (all: readonly string[]): string[] => all.filter((scope) => scope.endsWith(':read') && !PAPERS.includes(scope));

/** Every write to what a shop sends in, and nothing that pays. */
const sandboxWrites = (all: readonly string[]): string[] =>
  all.filter((scope) => scope.endsWith(':write') && !scope.startsWith('payouts:'));

const RIGHTS: Record<Role, Rights> = {
  owner: () => ['*', 'admin:staff'],
  admin: (all) => all.filter((scope) => !BEYOND_ADMIN.includes(scope)),
  finance: () => FINANCE,
  reviewer: () => REVIEWER,
  developer: (all, environment) =>
    environment === 'LIVE' ? DEVELOPER : [...new Set([...DEVELOPER, ...reads(all), ...sandboxWrites(all)])],
  'read-only': reads,
};

/** The scopes of a role in an environment; `all` are those that there are. */
export function rightsOf(role: Role, environment: Environment, all: readonly string[]): readonly string[] {
  return RIGHTS[role](all, environment);
}

/** Whether the role may write in LIVE only once the person has a second factor. */
export function needsFactorInLive(role: Role): boolean {
  return role === 'owner' || role === 'finance';
}

/** Whether the role can approve payments: such a role is given under two pairs of hands. */
export function approves(role: Role): boolean {
  return role === 'owner' || role === 'finance';
}
