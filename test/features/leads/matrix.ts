/** The access matrix of leads and of the receipts of attributions. */
import { randomUUID } from 'node:crypto';
import { createClickIds } from '../../../src/features/referrals/open/click-ids.ts';
import { call } from '../../support/app/http-call.ts';
import {
  emptyList,
  freshEmail,
  invalid,
  type MatrixRow,
  ofOwner,
  post,
  type Reference,
  referralCode,
  tooLong,
  uuidReference,
} from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';
import { plantClick } from '../referrals/plant-click.ts';

const toRoot = (side: Side) => side.root.id;
const CAPTURE = '/api/v1/leads/capture';

interface PlantedLead {
  id: string;
  email: string;
  receiptId: string;
}

/** A lead of the side's own, credited to its root. */
async function plantLead(world: World, side: Side, fields: object = {}): Promise<PlantedLead> {
  const answer = await call(world.app.baseUrl, {
    method: 'POST',
    target: CAPTURE,
    headers: { 'x-tenant-api-key': side.key },
    body: { email: freshEmail(), name: `${side.canaries[0]} lead`, referral_code: side.root.referralCode, ...fields },
  });
  const lead = answer.json as { id: string; email: string; attribution_receipt_id: string };
  if (answer.status !== 201) throw new Error(`not planted: ${answer.status} ${answer.text}`);
  return { id: lead.id, email: lead.email, receiptId: lead.attribution_receipt_id };
}

/** A member under the side's root, by its code. */
async function placedByCode(world: World, side: Side): Promise<string> {
  const answer = await call(world.app.baseUrl, {
    method: 'POST',
    target: '/api/v1/users',
    headers: { 'x-tenant-api-key': side.key },
    body: { email: freshEmail(), name: `${side.canaries[0]} placed`, referral_code: side.root.referralCode },
  });
  return String((answer.json as Record<string, unknown>)['id']);
}

async function cursorOf(world: World, side: Side, target: string): Promise<string> {
  for (let i = 0; i < 2; i++) await plantLead(world, side);
  const answer = await call(world.app.baseUrl, { method: 'GET', target, headers: { 'x-tenant-api-key': side.key } });
  return (answer.json as { next_cursor: string }).next_cursor;
}

const some = { status: 200, check: (body: Record<string, unknown>) => !emptyList(body) };
const none = { status: 200, check: emptyList };
const cursorReference = (target: string): Reference => ({
  at: 'query.cursor',
  object: (world, side) => cursorOf(world, side, target),
  absent: () => Buffer.from(randomUUID() + randomUUID()).toString('base64url'),
  malformed: tooLong(1000),
  own: { status: 200 },
  foreign: invalid,
});

const leadReference = (status: number): Reference => ({
  at: 'path.lead_id',
  object: async (world, side) => (await plantLead(world, side)).id,
  ...uuidReference,
  own: { status },
  foreign: { status: 404, code: 'NOT_FOUND' },
});

export const leadRows: Record<string, MatrixRow> = {
  captureLead: {
    request: () => ({ body: { email: freshEmail(), name: 'Lead' } }),
    status: 201,
    references: [
      {
        at: 'body.email',
        async object(world, side) {
          const email = freshEmail();
          await post(world, side, CAPTURE, { email, phone: '+1 555', referral_code: side.root.referralCode });
          return email;
        },
        absent: freshEmail,
        malformed: 'no address',
        own: { status: 200, check: (body) => body['phone'] === '+1 555' },
        foreign: { status: 201, check: (body) => body['phone'] === null && body['referrer_user_id'] === null },
      },
      {
        at: 'body.referral_code',
        ...referralCode,
        own: { status: 201, check: (body, side) => body['referrer_user_id'] === side.root.id },
        foreign: { status: 201, check: (body) => body['referrer_user_id'] === null },
      },
      {
        at: 'body.click_id',
        object: async ({ app }, side) => (await plantClick(app, side, side.root.id)).clickId,
        absent: () => createClickIds(Buffer.alloc(32)).sign({ tenantId: randomUUID(), environment: 'LIVE' }, randomUUID()),
        malformed: tooLong(255),
        own: { status: 201, check: (body, side) => body['referrer_user_id'] === side.root.id },
        foreign: { status: 201, check: (body) => body['referrer_user_id'] === null },
      },
    ],
  },
  listLeads: {
    request: () => ({ query: { limit: '1' } }),
    status: 200,
    references: [
      {
        at: 'query.email',
        object: async (world, side) => (await plantLead(world, side)).email,
        absent: freshEmail,
        malformed: 'no address',
        own: some,
        foreign: none,
      },
      { at: 'query.referrer_user_id', object: (_world, side) => side.root.id, ...uuidReference, own: some, foreign: none },
      cursorReference('/api/v1/leads?limit=1'),
    ],
  },
  getLead: {
    request: (side) => ({ path: { lead_id: side.lead.id } }),
    status: 200,
    references: [leadReference(200)],
  },
  updateLead: {
    request: (side) => ({ path: { lead_id: side.lead.id }, body: { name: 'Lead', phone: '+1 555' } }),
    status: 200,
    readBack: (body) => `/api/v1/leads/${String(body['id'])}`,
    references: [leadReference(200)],
  },
  convertLead: {
    request: (side) => ({ path: { lead_id: side.lead.id }, body: {} }),
    fresh: async (side, world) => ({ path: { lead_id: (await plantLead(world, side)).id }, body: {} }),
    status: 201,
    repeatedStatus: 409,
    references: [
      leadReference(201),
      {
        at: 'body.external_id',
        async object(world, side) {
          const externalId = randomUUID();
          await post(world, side, '/api/v1/users', { email: freshEmail(), external_id: externalId });
          return externalId;
        },
        absent: () => randomUUID(),
        malformed: tooLong(255),
        own: { status: 409, code: 'EXTERNAL_ID_EXISTS' },
        foreign: { status: 201 },
      },
    ],
    async restore({ app }, { tenantId, environment, lead }) {
      // The fuzzer's and the hostile requests name one lead: what they made of it goes to another address.
      await app.database.asSuperuser(
        `with freed as (
           update member set email = id || '@freed.example', email_norm = id || '@freed.example', external_id = null
           where tenant_id = $1 and environment = $2 and id = (select converted_member_id from lead where id = $3))
         update lead set conversion_status = 'captured', converted_member_id = null, expires_at = null where id = $3`,
        [tenantId, environment, lead.id],
      );
    },
  },
  listAttributions: {
    // A receipt keeps what a sale, a lead or a sign-up named, whether there was such a thing or not.
    showsRequestsOf: ['recordPurchase', 'recordEventBatch', 'captureLead', 'createUser'],
    request: () => ({ query: { limit: '1' } }),
    status: 200,
    references: [
      {
        at: 'query.lead_id',
        object: async (world, side) => (await plantLead(world, side)).id,
        ...uuidReference,
        own: some,
        foreign: none,
        member: ofOwner(toRoot, some, none),
      },
      {
        at: 'query.event_id',
        object: plantEventReceipt,
        ...uuidReference,
        own: some,
        foreign: none,
        member: ofOwner(toRoot, some, none),
      },
      {
        at: 'query.user_id',
        object: (_world, side) => side.root.id,
        ...uuidReference,
        own: some,
        foreign: none,
        member: ofOwner(toRoot, some, { status: 403, code: 'FORBIDDEN' }),
      },
      {
        at: 'query.placed_user_id',
        object: placedByCode,
        ...uuidReference,
        own: some,
        foreign: none,
        member: ofOwner(toRoot, some, none),
      },
      { ...cursorReference('/api/v1/referrals/attributions?limit=1'), member: invalid },
    ],
  },
  getAttribution: {
    // A receipt keeps what a sale, a lead or a sign-up named, whether there was such a thing or not.
    showsRequestsOf: ['recordPurchase', 'recordEventBatch', 'captureLead', 'createUser'],
    request: (side) => ({ path: { receipt_id: side.lead.receiptId } }),
    status: 200,
    memberStatus: (side, memberId) => (memberId === side.root.id ? 200 : 404),
    references: [
      {
        at: 'path.receipt_id',
        object: async (world, side) => (await plantLead(world, side)).receiptId,
        ...uuidReference,
        own: { status: 200 },
        foreign: { status: 404, code: 'NOT_FOUND' },
        member: ofOwner(toRoot, { status: 200 }, { status: 404, code: 'NOT_FOUND' }),
      },
    ],
  },
};

/** The side's purchase, with a receipt if it came without one. */
async function plantEventReceipt({ app }: World, { tenantId, environment, purchase }: Side): Promise<string> {
  await app.database.asSuperuser(
    `insert into attribution_receipt (tenant_id, environment, event_id, rule, model, window_days, as_of, candidates, created_at)
     values ($1, $2, $3, 'none', 'last_click', 60, now(), '[]', now()) on conflict do nothing`,
    [tenantId, environment, purchase.eventId],
  );
  return purchase.eventId;
}
