/** The public contract of the audit log. Source: docs/specification/conventions.md#audit-log. */
import { z } from 'zod';
import { ACTOR_KINDS } from '../../actor.ts';
import { defineOperation } from '../../http/operation.ts';
import { camelListOf, pageQuery } from '../../http/pagination.ts';
import { instant, text, timestamp, uuid } from '../../http/schemas.ts';

const auditLogEntry = z
  .object({
    id: uuid,
    action: z.string().meta({ description: 'What was done to what kind of object, as `member_profile.updated`' }),
    actor: z.object({
      kind: z.enum(ACTOR_KINDS).meta({
        description:
          '`member`: by a bearer token of that member; `staff`: a person of the tenant; `operator`: by a command of the deployment; `vendor`: by a signed event; `system`: by the clock',
      }),
      id: z.string().nullable().meta({ description: 'Of the API key or the member' }),
    }),
    operationId: z.string().nullable().meta({
      description: 'Of the operation that did it; else the command, job or sweep. Null of entries from before it was kept',
    }),
    requestId: z.string().nullable().meta({ description: '`X-Request-Id` of the answer' }),
    objectKind: z.string().nullable(),
    objectId: z.string().nullable(),
    details: z.record(z.string(), z.unknown()).meta({ description: 'Names of changed fields and the like; no personal data' }),
    createdAt: timestamp,
  })
  .meta({ id: 'AuditLogEntry' });

export const listAuditLogs = defineOperation({
  method: 'get',
  path: '/api/v1/admin/audit-logs',
  operationId: 'listAuditLogs',
  group: 'Admin',
  summary: 'Who changed what, newest first',
  description: 'All filters given must hold. Entries are never changed or deleted, and say which fields changed, not to what.',
  scope: 'admin:audit',
  query: z.strictObject({
    action: text(100).optional(),
    actorId: text(100).optional().meta({ description: 'Of an API key or a member' }),
    objectKind: text(100).optional(),
    objectId: text(100).optional(),
    from: instant.optional().meta({ description: 'Written at this instant or later' }),
    to: instant.optional().meta({ description: 'Written before this instant' }),
    ...pageQuery,
  }),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(auditLogEntry),
  errors: [],
});
