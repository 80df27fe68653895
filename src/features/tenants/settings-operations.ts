/** The public contract of a tenant's settings: what both environments share, and a part of each feature that has one. */
import { z } from 'zod';
import type { SettingsDeclaration } from '../../house/settings.ts';
import { defineOperation } from '../../http/operation.ts';
import { currency, timestamp } from '../../http/schemas.ts';
import { pendingChangesErrors } from '../pending-changes/open/pending-changes-errors.ts';
import { whenHeldBack } from '../pending-changes/open/when-held-back.ts';

/** The order of the parts in the document. One that is not named comes behind these, in the order of the features. */
const ORDER = ['kyc', 'payments', 'referrals'];

export function inOrder<Named extends { name: string }>(parts: readonly Named[]): Named[] {
  const place = ({ name }: Named): number => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  return parts.toSorted((a, b) => place(a) - place(b));
}

/** A part without a field in it, however deep, sets nothing. */
function setsSomething(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value !== undefined;
  return Object.values(value).some(setsSomething);
}

/** `a`, `b` and `c`. */
function enumerated(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`;
}

export function settingsOperations(declared: readonly SettingsDeclaration[]) {
  const parts = inOrder(declared);
  const names = enumerated(parts.map(({ name }) => name));

  const settings = z
    .object({
      defaultCurrency: currency.meta({ description: "Of members' status and of summaries that name no other" }),
      reportingTimeZone: z.string().meta({ description: 'IANA; days and months of summaries, plans and holding begin by it' }),
      updatedAt: timestamp.meta({ description: 'Of what both environments share' }),
      ...Object.fromEntries(parts.map(({ name, shown }) => [name, shown])),
    })
    .meta({ id: 'Settings' });

  const getSettings = defineOperation({
    method: 'get',
    path: '/api/v1/admin/settings',
    operationId: 'getSettings',
    group: 'Admin',
    summary: "The tenant's settings",
    description: `Currency and time zone are the same in both environments; ${names} are the key's environment's. Secrets are not shown.`,
    scope: 'admin:settings',
    success: [{ status: 200, meaning: 'The settings' }],
    response: settings,
    errors: [],
  });

  const updateSettings = defineOperation({
    method: 'patch',
    path: '/api/v1/admin/settings',
    operationId: 'updateSettings',
    group: 'Admin',
    summary: "Change the tenant's settings",
    description: `Currency and time zone change in both environments together, so only a LIVE key may do it; ${names} change in the environment of the key. Summaries follow a new time zone at once. What was recorded stays: the currency of a member or a commission, and when a commission clears. A verification keeps its provider until it starts anew, a payout account for good.\n\nIn LIVE with \`payments.dualControl\` on, a change that weakens a safeguard waits whole, and answers 202: another pair of hands confirms it by \`POST /admin/pending-changes/{pendingChangeId}/confirm\`. What only tightens takes effect at once.`,
    scope: 'admin:settings',
    stepUp: 'by value',
    body: z
      .strictObject({
        defaultCurrency: currency.optional(),
        reportingTimeZone: z.string().min(1).max(100).optional().meta({ description: 'IANA, as `Europe/Berlin`' }),
        ...Object.fromEntries(parts.map(({ name, patch }) => [name, patch.optional()])),
      })
      .refine(setsSomething, {
        message: 'must set something',
        when: ({ issues }) => issues.length === 0,
      })
      .meta({ example: { reportingTimeZone: 'Europe/Berlin' } }),
    success: [{ status: 200, meaning: 'The settings as they are now' }, whenHeldBack],
    response: settings,
    hands: 'by value',
    errors: ['ENVIRONMENT_MISMATCH', 'STATE_CONFLICT', pendingChangesErrors.CHANGE_PENDING],
  });

  return { getSettings, updateSettings };
}
