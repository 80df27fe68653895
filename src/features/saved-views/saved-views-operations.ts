/** The public contract of saved views. Source: docs/specification/overview.md#saved-views. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { namedActor, text, timestamp, uuid } from '../../http/schemas.ts';

const MOST_FIELDS = 20;

const page = z
  .string()
  .max(200, 'must have at most 200 characters')
  .regex(/^(?:\/|(?:\/[A-Za-z0-9._~-]+)+)$/, 'must be the path of a page, as /members');

const query = z
  .record(z.string().regex(/^[A-Za-z][A-Za-z0-9_.]{0,49}$/, 'must be the name of a filter'), text(500))
  .refine((fields) => Object.keys(fields).length <= MOST_FIELDS, `must have at most ${MOST_FIELDS} fields`)
  .refine((fields) => !('cursor' in fields), 'must not hold a cursor: a view begins at its first page')
  .meta({
    override: {
      type: 'object',
      maxProperties: MOST_FIELDS,
      additionalProperties: { type: 'string', minLength: 1, maxLength: 500 },
    },
  });

const savedView = z
  .object({
    id: uuid.meta({ description: 'Id' }),
    name: z.string().meta({ description: 'Name of the view' }),
    page: z.string().meta({ description: 'The path of the page, without tenant and environment' }),
    query: z.record(z.string(), z.string()).meta({ description: 'What the page is asked with' }),
    shared: z.boolean().meta({ description: 'Seen by all who may call this' }),
    own: z.boolean().meta({ description: 'Saved by the caller, by a key that comes from it, or by the person it comes from' }),
    createdBy: namedActor.meta({ description: 'Who made it' }),
    createdAt: timestamp.meta({ description: 'When it was made' }),
    updatedAt: timestamp.meta({ description: 'When it last changed' }),
  })
  .meta({ id: 'SavedView' });

export type SavedViewAnswer = z.input<typeof savedView>;

export const listSavedViews = defineOperation({
  method: 'get',
  path: '/api/v1/admin/saved-views',
  operationId: 'listSavedViews',
  group: 'Saved views',
  summary: 'List saved views, own and shared, by name',
  description: 'A view opens a page: what the page then shows goes by the rights of whoever opens it.',
  scope: 'any',
  query: z.strictObject({ page: page.optional().meta({ description: 'Of this page alone' }) }),
  success: [{ status: 200, meaning: 'All of them' }],
  response: z.object({ data: z.array(savedView) }),
  errors: [],
});

export const saveView = defineOperation({
  method: 'post',
  path: '/api/v1/admin/saved-views',
  operationId: 'saveView',
  group: 'Saved views',
  summary: "Keep a page's filters under a name",
  description:
    'One of the same owner, page and name is replaced. An owner has 100 at most: one more is 422 `LIMIT_REACHED`. What names a member in a view goes with the member when it is erased, and so does the view.',
  scope: 'any',
  hands: 'neutral',
  body: z
    .strictObject({
      name: text(100).meta({ description: 'Name of the view' }),
      page,
      query,
      shared: z.boolean().nullish().meta({ description: 'Default false: for the owner alone' }),
    })
    .meta({ example: { name: 'Held, largest first', page: '/commissions', query: { status: 'held', sort: '-amount' } } }),
  success: [{ status: 201, meaning: 'Saved' }],
  response: savedView,
  errors: ['LIMIT_REACHED'],
});

export const deleteSavedView = defineOperation({
  method: 'delete',
  path: '/api/v1/admin/saved-views/{viewId}',
  operationId: 'deleteSavedView',
  group: 'Saved views',
  summary: 'Delete a saved view',
  description: "One of the caller's own; a shared one also with `admin:settings`.",
  scope: 'any',
  hands: 'neutral',
  params: z.strictObject({ viewId: uuid }),
  success: [{ status: 200, meaning: 'Deleted' }],
  response: z.object({ id: uuid, deleted: z.literal(true) }),
  errors: ['NOT_FOUND'],
});
