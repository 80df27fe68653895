/** The public contract of the audit log. Source: docs/specification/conventions.md#audit-log. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { camelListOf, pageQuery } from '../../http/pagination.ts';
import { actorKind, instant, namedActor, text, timestamp, uuid } from '../../http/schemas.ts';

const auditLogEntry = z
  .object({
    id: uuid.meta({ description: 'Id' }),
    action: z.string().meta({ description: 'What was done to what kind of object, as `member_profile.updated`' }),
    actor: namedActor.meta({ description: 'Who did it' }),
    target: z
      .object({ kind: z.string().nullable(), id: z.string().nullable() })
      .nullable()
      .meta({ description: 'What it was done to' }),
    operationId: z.string().nullable().meta({
      description: 'Of the operation that did it; else the command, job or sweep. Null of entries from before it was kept',
    }),
    requestId: z.string().nullable().meta({ description: '`X-Request-Id` of the answer' }),
    ip: z
      .string()
      .nullable()
      .meta({ description: 'The address that the request came from, for as long as the deployment keeps it' }),
    objectKind: z.string().nullable().meta({ deprecated: true, description: '`target.kind`' }),
    objectId: z.string().nullable().meta({ deprecated: true, description: '`target.id`' }),
    details: z.record(z.string(), z.unknown()).meta({ description: 'Names of changed fields and the like; no personal data' }),
    createdAt: timestamp.meta({ description: 'When it was made' }),
  })
  .meta({ id: 'AuditLogEntry' });

/** What a reviewer reads. Source: docs/specification/people.md#roles. */
export const OF_VERIFICATIONS = { scope: 'audit:kyc', what: 'entries of verifications alone' } as const;

export const listAuditLogs = defineOperation({
  method: 'get',
  path: '/api/v1/admin/audit-logs',
  operationId: 'listAuditLogs',
  group: 'Admin',
  summary: 'Who changed what, newest first',
  description:
    'All filters given must hold. Entries say which fields changed, not to what, save for the hosts that webhooks go to. They are never changed, and are sealed by hash: `GET /admin/ledger/verify` verifies them. `POST /exports` of kind `auditLogs` makes a file of them.',
  scope: 'admin:audit',
  narrower: OF_VERIFICATIONS,
  query: z.strictObject({
    action: text(100).optional().meta({ description: 'Entries of this action' }),
    actorKind: actorKind.optional().meta({ description: 'Entries of this kind of actor' }),
    actorId: text(100).optional().meta({ description: 'Of an API key, a person or a member; the name of a vendor' }),
    targetKind: text(100).optional().meta({ description: 'As `member` or `api_key`' }),
    targetId: text(100).optional().meta({ description: 'Entries about this object' }),
    operationId: text(100).optional().meta({ description: 'Of an operation, a command, a job or a sweep' }),
    objectKind: text(100).optional().meta({ deprecated: true, description: '`targetKind`' }),
    objectId: text(100).optional().meta({ deprecated: true, description: '`targetId`' }),
    from: instant.optional().meta({ description: 'Written at this instant or later' }),
    to: instant.optional().meta({ description: 'Written before this instant' }),
    ...pageQuery,
  }),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(auditLogEntry),
  errors: [],
});
