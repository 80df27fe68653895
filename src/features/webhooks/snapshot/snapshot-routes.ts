import { type Route, route } from '../../../http/route.ts';
import type { EventSnapshot } from './event-snapshot.ts';
import {
  createEventSnapshot,
  createEventSnapshotDownloadUrl,
  getEventSnapshot,
  type SnapshotAnswer,
} from './snapshot-operations.ts';
import type { SnapshotService } from './snapshot-service.ts';

export function snapshotRoutes(snapshots: SnapshotService): Route[] {
  return [
    route(
      createEventSnapshot,
      ({ body, ...context }) => snapshots.create(context, body?.kinds),
      (made) => ({
        status: 202,
        body: snapshotBody(made),
        headers: { Location: `/api/v1/webhook-events/snapshots/${made.id}` },
      }),
    ),
    route(
      getEventSnapshot,
      ({ params, ...context }) => snapshots.read(context, params.snapshotId),
      (found) => ({ status: 200, body: snapshotBody(found) }),
    ),
    route(createEventSnapshotDownloadUrl, ({ params, ...context }) => snapshots.createDownloadUrl(context, params.snapshotId)),
  ];
}

function snapshotBody({ sequence, rowCount, byteCount, ...snapshot }: EventSnapshot): SnapshotAnswer {
  const numberOf = (digits: bigint | null): number | null => (digits === null ? null : Number(digits));
  return { ...snapshot, sequence: numberOf(sequence), rowCount: Number(rowCount), byteCount: numberOf(byteCount) };
}
