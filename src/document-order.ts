/**
 * Where the sections, scopes and error codes that readers know stand in the document. What is not named here comes
 * behind, in the order of features.ts: a new feature need not touch this page.
 */
const GROUPS: readonly string[] = [
  'Users',
  'Members',
  'Leads',
  'Referrals',
  'Imports',
  'Events',
  'Commission plans',
  'Commissions',
  'Member summaries',
  'Profile',
  'KYC',
  'Payout',
  'Payout Accounts',
  'Payout runs',
  'Admin',
  'Sandbox',
  'Ledger',
  'Webhook receivers',
  'Admin KYC',
  'Auth',
];

const SCOPES: readonly string[] = [
  'users:read',
  'users:write',
  'leads:read',
  'leads:write',
  'referrals:read',
  'referrals:write',
  'imports:read',
  'imports:write',
  'events:read',
  'events:write',
  'members:read',
  'members:write',
  'members:export',
  'members:erase',
  'identity:read',
  'commissions:read',
  'commissions:write',
  'commissions:grant',
  'plans:read',
  'plans:write',
  'ledger:read',
  'admin:rates',
  'admin:auth',
  'admin:keys',
  'admin:settings',
  'admin:audit',
  'admin:kyc',
  'kyc:read',
  'kyc:write',
  'accounts:read',
  'accounts:write',
  'payouts:read',
  'payouts:write',
  'payouts:approve',
  'payouts:execute',
  'auth:tokens',
  'sandbox:write',
];

const ERRORS: readonly string[] = [
  'FORBIDDEN',
  'IP_NOT_ALLOWED',
  'USER_NOT_PROVISIONED',
  'RECRUITING_DISABLED',
  'ENVIRONMENT_MISMATCH',
  'EMAIL_EXISTS',
  'EXTERNAL_ID_EXISTS',
  'EVENT_ID_REUSED',
  'CODE_TAKEN',
  'LIMIT_REACHED',
  'CYCLE_DETECTED',
  'ACCOUNT_LINK_REQUIRED',
  'STATE_CONFLICT',
  'IDEMPOTENCY_IN_PROGRESS',
  'IDEMPOTENCY_KEY_REUSED',
  'PROFILE_INCOMPLETE',
  'METHOD_NOT_SUPPORTED',
  'CURRENCY_MISMATCH',
  'REFUND_EXCEEDS_PURCHASE',
  'EXCHANGE_RATE_MISSING',
  'BALANCE_LIMIT',
  'PLAN_INVALID',
];

function placed(order: readonly string[], names: readonly string[]): string[] {
  const placeOf = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...new Set(names)].toSorted((a, b) => placeOf(a) - placeOf(b));
}

export const placeGroups = (names: readonly string[]): string[] => placed(GROUPS, names);
export const placeScopes = (names: readonly string[]): string[] => placed(SCOPES, names);
/** To be sorted by status afterwards. */
export const placeErrors = (names: readonly string[]): string[] => placed(ERRORS, names);
