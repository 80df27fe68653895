/** The public contract of snapshots: docs/specification/webhooks.md#snapshot. */
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { namedActor, timestamp, uuid } from '../../../http/schemas.ts';
import { SNAPSHOT_KINDS, SNAPSHOT_SCOPES, SNAPSHOT_STATUSES } from './event-snapshot.ts';

const snapshotKind = z.enum(SNAPSHOT_KINDS).meta({
  id: 'EventSnapshotKind',
  description:
    'Objects of one kind, as their events show them: `members`, `leads`, `events`, `commissions`, `payoutRuns`, `payouts` and so on',
});

const snapshotResource = z
  .object({
    id: uuid.meta({ description: 'Of the snapshot' }),
    kinds: z.array(snapshotKind).meta({ description: 'The kinds of objects in the file' }),
    status: z.enum(SNAPSHOT_STATUSES).meta({
      description:
        '`queued`: waits for its turn; `running`; `completed`: the file is there; `failed`; `expired`: the file is gone, after a day, or because a member was erased or the SANDBOX reset',
    }),
    sequence: z.int().nullable().meta({ description: 'Events behind this number are not in it; null before it is complete' }),
    rowCount: z.int().meta({ description: 'Objects in the file' }),
    byteCount: z.int().nullable().meta({ description: 'Of the file; null before it is complete' }),
    failure: z.string().nullable().meta({ description: 'Why there is no file' }),
    createdBy: namedActor.meta({ description: 'Who asked for it' }),
    createdAt: timestamp.meta({ description: 'When it was asked for' }),
    finishedAt: timestamp.nullable().meta({ description: 'When it was completed or failed; null: not yet' }),
    expiresAt: timestamp.meta({ description: 'Until then, by the real clock, the file can be downloaded' }),
  })
  .meta({ id: 'EventSnapshot' });

export type SnapshotAnswer = z.input<typeof snapshotResource>;

const scopes = Object.entries(SNAPSHOT_SCOPES)
  .map(([kind, scope]) => `\`${kind}\`: \`${scope}\``)
  .join(', ');

export const createEventSnapshot = defineOperation({
  method: 'post',
  path: '/api/v1/webhook-events/snapshot',
  operationId: 'createEventSnapshot',
  group: 'Webhooks',
  summary: 'Make a snapshot of the state as of one number of the log',
  description: [
    'A file of JSON objects, one a line. The first is `{"kind":"snapshot","sequence",…}`; each other is one object as the API shows it: `{"kind","objectId","data"}`. With the events of larger numbers it makes the state that the API shows.',
    `The key needs the scope of each kind, too: ${scopes}.`,
    'The file is made in the background: read the snapshot to follow it, and ask for a `download-url` once it is `completed`. At most 5 of an environment may be unfinished: one more is 409 `STATE_CONFLICT`.',
  ].join('\n\n'),
  scope: 'webhooks:write',
  body: z
    .strictObject({
      kinds: z
        .array(snapshotKind)
        .min(1)
        .max(SNAPSHOT_KINDS.length)
        .optional()
        .meta({
          description: 'Kinds of objects to have in it; default all',
          override: { type: 'array', items: { $ref: '#/components/schemas/EventSnapshotKind' } },
        }),
    })
    .optional(),
  success: [{ status: 202, meaning: 'Queued; `Location` names the snapshot', response: snapshotResource }],
  response: snapshotResource,
  errors: ['STATE_CONFLICT'],
});

const params = z.strictObject({ snapshotId: uuid.meta({ description: 'Id of the snapshot' }) });

export const getEventSnapshot = defineOperation({
  method: 'get',
  path: '/api/v1/webhook-events/snapshots/{snapshotId}',
  operationId: 'getEventSnapshot',
  group: 'Webhooks',
  summary: 'Read a snapshot',
  scope: 'webhooks:read',
  params,
  success: [{ status: 200, meaning: 'The snapshot' }],
  response: snapshotResource,
  errors: ['NOT_FOUND'],
});

export const createEventSnapshotDownloadUrl = defineOperation({
  method: 'post',
  path: '/api/v1/webhook-events/snapshots/{snapshotId}/download-url',
  operationId: 'createEventSnapshotDownloadUrl',
  group: 'Webhooks',
  summary: 'An address to download the file of a snapshot from',
  description:
    'Whoever has the address can download the file, without a key, until it expires. The key needs the scope of each kind in it. Each address is an entry in the audit log. A snapshot that has no file yet, or none any more, is 409 `STATE_CONFLICT`.',
  scope: 'webhooks:read',
  repeats: 'own',
  params,
  body: z.strictObject({}).optional(),
  success: [{ status: 200, meaning: 'The address' }],
  response: z.object({
    url: z.string().meta({ description: 'Answers GET with the file' }),
    expiresAt: timestamp.meta({ description: 'Five minutes from now' }),
  }),
  errors: ['NOT_FOUND', 'STATE_CONFLICT'],
});
