/** The roles in words. */
import type { Choice } from '../../../pages/parts/form.ts';
import { ROLES, type Role } from '../../staff/open/roles.ts';

const WORDS: Readonly<Record<Role, { word: string; hint: string }>> = {
  owner: { word: 'Owner', hint: 'Everything, and who else may what.' },
  admin: { word: 'Administrator', hint: 'Everything but people, approving payouts and commissions by hand.' },
  finance: { word: 'Finance', hint: 'Commissions, payouts and the ledger. Approves and executes payouts.' },
  reviewer: { word: 'Reviewer', hint: 'Verifies members.' },
  developer: { word: 'Developer', hint: 'Keys and sign-in providers; in the SANDBOX nearly everything.' },
  'read-only': { word: 'Read only', hint: 'Sees every list but verifications.' },
};

export const ROLE_CHOICES: readonly Choice[] = ROLES.map((value) => ({
  value,
  label: WORDS[value].word,
  hint: WORDS[value].hint,
}));

export function roleWord(role: Role): string {
  return WORDS[role].word;
}
