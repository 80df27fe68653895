/** The access matrix of clicks. */
import { randomBytes, randomUUID } from 'node:crypto';
import { call } from '../../support/app/http-call.ts';
import { invalid, type MatrixRow, referralCode, tooLong, uuidReference } from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';
import { plantLink } from './plant-link.ts';

const linkOf = (world: World, side: Side) => plantLink(world.app, side, { memberId: side.root.id });

/** Of a new click by the root's code. */
export async function clickIdOf(world: World, side: Side): Promise<string> {
  const answer = await call(world.app.baseUrl, {
    method: 'POST',
    target: '/api/v1/referrals/clicks',
    headers: { 'x-tenant-api-key': side.key },
    body: { referral_code: side.root.referralCode },
  });
  return (answer.json as { click_id: string }).click_id;
}

const own = { status: 201, check: (body: Record<string, unknown>, side: Side) => body['user_id'] === side.root.id };
/** A body that names something in one way only. */
const nothingElse = () => ({ body: {} });

export const clickRows: Record<string, MatrixRow> = {
  recordClick: {
    request: (side) => ({ body: { referral_code: side.root.referralCode } }),
    status: 201,
    references: [
      { at: 'body.referral_code', ...referralCode, own, foreign: invalid },
      {
        at: 'body.link_id',
        within: nothingElse,
        object: async (world, side) => (await linkOf(world, side)).id,
        ...uuidReference,
        own,
        foreign: invalid,
      },
      {
        at: 'body.slug',
        within: nothingElse,
        object: async (world, side) => (await linkOf(world, side)).slug,
        absent: () => randomUUID().slice(0, 8),
        malformed: tooLong(64),
        own,
        foreign: invalid,
      },
      {
        at: 'body.click_id',
        within: () => ({ body: { customer: { external_id: 'matrix' } } }),
        object: clickIdOf,
        absent: () => `ck_${randomBytes(32).toString('base64url')}`,
        malformed: tooLong(255),
        own: { ...own, status: 200 },
        foreign: invalid,
      },
    ],
    inert: { 'body.customer.external_id': "the tenant's name of somebody, kept as text" },
  },
};
