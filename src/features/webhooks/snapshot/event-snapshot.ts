/** What a snapshot is: the state as of one number of the sequence, as a file that is made in the background. */
import type { NamedActor } from '../../../actor.ts';
import type { Scope } from '../../../db/scope.ts';
import type { KeyScope } from '../../../http/operation.ts';

/** In the order of the file, with what a key must be allowed to read: the scopes of the operations that show them. */
export const SNAPSHOT_SCOPES = {
  members: 'users:read',
  leads: 'leads:read',
  events: 'events:read',
  commissions: 'commissions:read',
  payoutAccounts: 'accounts:read',
  kyc: 'kyc:read',
  payoutRuns: 'payouts:read',
  payouts: 'payouts:read',
  balances: 'ledger:read',
} as const satisfies Record<string, KeyScope>;

export type SnapshotKind = keyof typeof SNAPSHOT_SCOPES;
export const SNAPSHOT_KINDS = Object.keys(SNAPSHOT_SCOPES) as SnapshotKind[];

export const SNAPSHOT_STATUSES = ['queued', 'running', 'completed', 'failed', 'expired'] as const;

export interface EventSnapshot {
  id: string;
  kinds: SnapshotKind[];
  status: (typeof SNAPSHOT_STATUSES)[number];
  /** Events behind this number are not in it. */
  sequence: bigint | null;
  rowCount: bigint;
  byteCount: bigint | null;
  failure: string | null;
  createdBy: NamedActor;
  createdAt: Date;
  finishedAt: Date | null;
  expiresAt: Date;
}

export const MAKE_SNAPSHOT = 'make-snapshot';
/** The name of the sweep, too. */
export const REMOVE_SNAPSHOTS = 'remove-snapshots';

export const SNAPSHOT_TYPE = 'application/x-ndjson';

export function snapshotKey({ tenantId, environment }: Scope, id: string): string {
  return `${environment.toLowerCase()}/${tenantId}/event-snapshots/${id}.ndjson`;
}
