/** What giving people roles does to dual control, and whose hands are behind it. Source: docs/specification/two-hands.md#effects. */
import type { FieldEffect } from '../../http/held-back.ts';
import type { CallContext } from '../../http/operation.ts';
import { approves, type Role } from './open/roles.ts';
import type { LockedPerson } from './staff-queries.ts';

type Standing = Pick<LockedPerson, 'role' | 'state'>;

/** Whether the person can approve payments as it is. */
export const canApprove = ({ role, state }: Standing): boolean => state === 'active' && approves(role);

/** What a change of somebody's role or state does. */
export function effectsOfChange(before: LockedPerson & Standing, after: Standing): FieldEffect[] {
  const field = `staff.${before.id}.role`;
  const weakens = canApprove(after) && !canApprove(before);
  const tightens = canApprove(before) && !canApprove(after);
  if (after.role === before.role && after.state === before.state) return [];
  return [
    {
      field,
      direction: weakens ? 'weakens' : tightens ? 'tightens' : 'neutral',
      before: `${before.role} ${before.state}`,
      shown: { from: `${before.role}, ${before.state}`, to: `${after.role}, ${after.state}` },
    },
  ];
}

/** None where neither role approves payments: such an invitation is no safeguard's. */
export function effectsOfInvite(
  field: string,
  from: Role | undefined,
  { email, role: to }: { email: string; role: Role },
): FieldEffect[] {
  if (from === to || !(approves(to) || (from && approves(from)))) return [];
  const shown = { from: from ?? null, to };
  return [
    {
      field,
      direction: approves(to) ? 'weakens' : 'tightens',
      before: from ?? '',
      shown,
      // Whoever confirms has to see who it is.
      shownSealed: { ...shown, to: `${to}, ${email}` },
    },
  ];
}

/** Whose hands are behind the call: the caller's, and those of whoever asked for what it confirms. The operator has none. */
export function handsBehind({ scope, confirming }: CallContext): string[] {
  const roots = new Set([...(confirming ? [confirming.proposerRoot] : []), scope.root]);
  return [...roots].filter((root) => /^(staff|api_key):/.test(root));
}
