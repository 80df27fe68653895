/** The access matrix of referral codes and links. Those of a side are its payee's, so no bearer token reaches them. */
import { randomBytes, randomUUID } from 'node:crypto';
import { call } from '../../support/app/http-call.ts';
import type { TestApp } from '../../support/app/test-app.ts';
import {
  type Expected,
  emptyList,
  invalid,
  type MatrixRow,
  type PlantOnSide,
  type Reference,
  tooLong,
  uuidReference,
} from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';

const CODES = '/api/v1/referrals/codes';
const LINKS = '/api/v1/referrals/links';
const SHOP = 'https://shop.example/';

const forbidden: Expected = { status: 403, code: 'FORBIDDEN' };
const unknown: Expected = { status: 404, code: 'NOT_FOUND' };
const freshCode = () => `C-${randomBytes(6).toString('hex').toUpperCase()}`;

type Start = Pick<Side, 'tenantId' | 'environment' | 'key'>;

async function send({ baseUrl }: TestApp, { key }: Start, method: string, target: string, body?: object) {
  const answer = await call(baseUrl, { method, target, headers: { 'x-tenant-api-key': key }, body });
  if (answer.status >= 300) throw new Error(`not planted: ${method} ${target}: ${answer.status} ${answer.text}`);
  return answer.json as Record<string, string>;
}

const newCode = (app: TestApp, start: Start, userId: string, code = freshCode()) =>
  send(app, start, 'POST', CODES, { user_id: userId, code });
const newLink = (app: TestApp, start: Start, userId: string, name: string) =>
  send(app, start, 'POST', LINKS, { user_id: userId, destination_url: `${SHOP}${name}`, name });

/** A code and a link of the payee, which stay, and cursors behind the first of each. */
interface Planted {
  codeId: string;
  code: string;
  linkId: string;
  codeCursor: string;
  linkCursor: string;
}

const planted = new WeakMap<Side, Planted>();

const NONE: Planted = { codeId: '', code: '', linkId: '', codeCursor: '', linkCursor: '' };
export const referralsOf = (side: Side): Planted => planted.get(side) ?? NONE;

export const plantOnSide: PlantOnSide = async (app, side) => {
  const [mark = ''] = side.canaries;
  const userId = side.payee.id;
  await allowShop(app, side);
  const { id: codeId = '', code = '' } = await newCode(app, side, userId, mark);
  const { id: linkId = '' } = await newLink(app, side, userId, mark);
  await newLink(app, side, userId, mark);
  const { next_cursor: codeCursor = '' } = await send(app, side, 'GET', `${CODES}?limit=1`);
  const { next_cursor: linkCursor = '' } = await send(app, side, 'GET', `${LINKS}?limit=1`);
  planted.set(side, { codeId, code, linkId, codeCursor, linkCursor });
  side.canaries.push(codeId, code, linkId);
};

/** For as many deletions as a suite may try. */
export async function plantSpareLinks({ database }: TestApp, side: Side, count: number): Promise<string[]> {
  const rows = await database.asSuperuser<{ id: string }>(
    `insert into referral_link (tenant_id, environment, slug, member_id, destination_url, status, created_at, updated_at)
     select $1::uuid, $2::text, substr(md5($1::text || $2 || n), 1, 12), $3, $4, 'active', now(), now() from generate_series(1, $5) n returning id`,
    [side.tenantId, side.environment, side.payee.id, SHOP, count],
  );
  return rows.map(({ id }) => id);
}

/** Whatever else the settings have been changed to. */
async function allowShop({ database }: TestApp, { tenantId, environment }: Start): Promise<void> {
  await database.asSuperuser(
    `insert into referral_settings (tenant_id, environment, attribution_model, attribution_window_days, allowed_destination_hosts)
     values ($1, $2, 'last_click', 60, '{shop.example}')
     on conflict (tenant_id, environment) do update set allowed_destination_hosts = '{shop.example}'`,
    [tenantId, environment],
  );
}

const restore = ({ app }: World, side: Side) => allowShop(app, side);

const owner: Reference = {
  at: 'body.user_id',
  object: (_world, side) => side.payee.id,
  ...uuidReference,
  own: { status: 201 },
  foreign: invalid,
  member: forbidden,
};

const listedOwner: Reference = {
  at: 'query.user_id',
  object: (_world, side) => side.payee.id,
  ...uuidReference,
  own: { status: 200, check: (body) => !emptyList(body) },
  foreign: { status: 200, check: emptyList },
  member: forbidden,
};

const cursor = (of: 'codeCursor' | 'linkCursor'): Reference => ({
  at: 'query.cursor',
  object: (_world, side) => referralsOf(side)[of],
  absent: () => randomUUID().repeat(2),
  malformed: tooLong(1000),
  own: { status: 200 },
  foreign: invalid,
  member: invalid,
});

const code: Reference = {
  at: 'path.code_id',
  object: (_world, side) => referralsOf(side).codeId,
  ...uuidReference,
  own: { status: 200, check: (body, side) => body['id'] === referralsOf(side).codeId },
  foreign: unknown,
  member: unknown,
};

const link: Reference = {
  at: 'path.link_id',
  object: (_world, side) => referralsOf(side).linkId,
  ...uuidReference,
  own: { status: 200, check: (body, side) => body['id'] === referralsOf(side).linkId },
  foreign: unknown,
  member: unknown,
};

const ofCode = (side: Side) => ({ path: { code_id: referralsOf(side).codeId } });
const ofLink = (side: Side) => ({ path: { link_id: referralsOf(side).linkId } });
const spareLink = async ({ app }: World, side: Side) =>
  (await newLink(app, side, side.payee.id, side.canaries[0] ?? ''))['id'] ?? '';

export const referralRows: Record<string, MatrixRow> = {
  createReferralCode: {
    request: (side) => ({ body: { user_id: side.payee.id } }),
    status: 201,
    memberStatus: 403,
    readBack: (body) => `${CODES}/${String(body['id'])}`,
    references: [
      owner,
      {
        at: 'body.code',
        object: async ({ app }, side) => (await newCode(app, side, side.payee.id))['code'] ?? '',
        absent: freshCode,
        malformed: '-ABC',
        own: { status: 409, code: 'CODE_TAKEN' },
        foreign: { status: 201 },
        member: forbidden,
      },
    ],
  },
  listReferralCodes: {
    request: () => ({ query: { limit: '1' } }),
    status: 200,
    references: [listedOwner, cursor('codeCursor')],
  },
  getReferralCode: { request: ofCode, status: 200, memberStatus: 404, references: [code] },
  updateReferralCode: {
    request: (side) => ({ ...ofCode(side), body: { status: 'active' } }),
    status: 200,
    memberStatus: 404,
    references: [code],
  },
  resolveReferralCode: {
    request: (side) => ({ query: { referral_code: side.root.referralCode } }),
    status: 200,
    references: [
      {
        at: 'query.referral_code',
        object: (_world, side) => referralsOf(side).code,
        absent: freshCode,
        malformed: tooLong(64),
        own: { status: 200, check: (body, side) => body['user_id'] === side.payee.id },
        foreign: unknown,
      },
    ],
  },
  createReferralLink: {
    request: (side) => ({ body: { user_id: side.payee.id, destination_url: SHOP } }),
    status: 201,
    memberStatus: 403,
    readBack: (body) => `${LINKS}/${String(body['id'])}`,
    references: [owner],
    inert: { 'body.slug': 'a new name; one that is taken is the same 409, whoever has it (own-slugs.test.ts)' },
    restore,
  },
  listReferralLinks: {
    request: () => ({ query: { limit: '1' } }),
    status: 200,
    references: [listedOwner, cursor('linkCursor')],
  },
  getReferralLink: { request: ofLink, status: 200, memberStatus: 404, references: [link] },
  getReferralLinkQr: {
    request: ofLink,
    status: 200,
    memberStatus: 404,
    references: [{ ...link, own: { status: 200 } }],
  },
  updateReferralLink: {
    request: (side) => ({ ...ofLink(side), body: { name: `${side.canaries[0]} link`, destination_url: SHOP } }),
    status: 200,
    memberStatus: 404,
    references: [link],
    restore,
  },
  deleteReferralLink: {
    request: ofLink,
    fresh: async (side, world) => ({ path: { link_id: await spareLink(world, side) } }),
    status: 200,
    memberStatus: 404,
    references: [{ ...link, object: spareLink, own: { status: 200 } }],
  },
};
