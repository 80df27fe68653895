/** A change that waits, or waited, for another pair of hands. Source: docs/specification/two-hands.md#waiting. */
import type { NamedActor } from '../../../actor.ts';
import type { Direction } from '../../../http/held-back.ts';

export const PENDING_CHANGE_STATUSES = ['open', 'confirmed', 'rejected', 'expired', 'cancelled'] as const;
export type PendingChangeStatus = (typeof PENDING_CHANGE_STATUSES)[number];

export interface PendingField {
  field: string;
  direction: Direction;
  /** Null where neither value is shown. */
  from: unknown;
  to: unknown;
}

export interface PendingChange {
  id: string;
  operationId: string;
  status: PendingChangeStatus;
  fields: PendingField[];
  createdBy: NamedActor;
  createdAt: Date;
  expiresAt: Date;
  decidedBy: NamedActor | null;
  decidedAt: Date | null;
  reason: string | null;
}
