/**
 * Properties of dated moves against a plain model: random trees, random moves of any date, recorded in
 * any order. The service accepts what the model accepts, the uplines as of any instant are the model's,
 * and never is there a cycle, at any instant.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readUplineAsOf } from '../../../src/features/events/purchases/upline-as-of-queries.ts';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { ModelTree } from '../../support/tree/model-tree.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const MEMBERS = 9;
/** Few instants, so that moves meet at the same one. */
const instant = fc.integer({ min: 1, max: 8 }).map((day) => Date.UTC(2026, 2, day));

const histories = fc.record({
  /** The sponsor of each is one made before it; more often than not there is one. */
  tree: fc.array(fc.option(fc.nat(MEMBERS), { freq: 6 }), { minLength: MEMBERS, maxLength: MEMBERS }),
  steps: fc.array(
    fc.oneof(
      {
        weight: 9,
        arbitrary: fc.record({
          member: fc.nat(MEMBERS + 3),
          sponsor: fc.option(fc.nat(MEMBERS + 3), { freq: 8 }),
          /** null: undated, after all others. */
          at: fc.option(instant, { freq: 8 }),
        }),
      },
      fc.record({ under: fc.nat(MEMBERS) }),
    ),
    { minLength: 10, maxLength: 30, size: 'max' },
  ),
  asked: fc.array(fc.record({ member: fc.nat(MEMBERS + 3), at: instant, before: fc.boolean() }), {
    minLength: 10,
    maxLength: 10,
  }),
});

test('random moves and new members, in any order', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async ({ tree, steps, asked }) => {
      const { tenantId, liveKey } = await app.newTenant();
      const client = apiClient(app, liveKey);
      const scope = { tenantId, environment: 'LIVE' } as const;
      const ids: string[] = [];
      const create = async (under: number | null) => {
        const parent = under === null ? {} : { parent_id: ids[under] };
        ids.push((await client.newMember(parent)).id);
        return under;
      };
      const sponsors: (number | null)[] = [];
      for (const [index, under] of tree.entries()) {
        sponsors.push(await create(under === null || index === 0 ? null : under % index));
      }
      const model = new ModelTree(sponsors);

      let undated = Date.UTC(2100, 0, 1); // the model's stand-in for "now": after every date, in order
      for (const step of steps) {
        if ('under' in step) {
          model.add(await create(step.under % ids.length));
          continue;
        }
        const member = step.member % ids.length;
        const sponsor = step.sponsor === null ? null : step.sponsor % ids.length;
        const at = step.at ?? undated++;
        const answer = await client.post(`/api/v1/members/${ids[member]}/sponsor`, {
          sponsorId: sponsor === null ? null : ids[sponsor],
          ...(step.at === null ? {} : { effectiveAt: new Date(step.at).toISOString() }),
        });
        const present = model.sponsorAt(member, Number.POSITIVE_INFINITY);
        if (step.at === null && present === sponsor) {
          expect(answer.body).toMatchObject({ downlineMoved: 0 });
          continue;
        }
        const former = model.sponsorAt(member, at);
        const moved = model.move({ member, sponsor, at });
        expect(answer.status, answer.text).toBe(moved ? 200 : 409);
        if (!moved) continue;
        const isPresent = model.historyOf(member).at(-1)?.at === at && present !== sponsor;
        expect(answer.body).toMatchObject({
          formerSponsorId: former === null ? null : ids[former],
          downlineMoved: isPresent ? model.downlineAt(member, Number.POSITIVE_INFINITY).length : 0,
        });
      }

      expect(model.hasCycle()).toBe(false);
      for (const [member, id] of ids.entries()) {
        const { body } = await client.get(`/api/v1/members/${id}/history`);
        const kept = (body.sponsor as { sponsorId: string | null }[]).map((entry) => entry.sponsorId);
        expect(kept).toEqual(model.historyOf(member).map(({ sponsor }) => (sponsor === null ? null : ids[sponsor])));
      }
      for (const { member: pick, at, before } of asked) {
        const member = pick % ids.length;
        const when = before ? at - 1 : at;
        const upline = await app.composition.frames.read(scope, (db) =>
          readUplineAsOf(db, scope, ids[member] ?? '', new Date(when), 256),
        );
        expect(upline.map(({ id }) => id)).toEqual(model.uplineAt(member, when)?.map((above) => ids[above]));
      }
      const rows = await app.database.asSuperuser<{ id: string; parent_id: string | null }>(
        'select id, parent_id from member where tenant_id = $1',
        [tenantId],
      );
      for (const { id, parent_id: parentId } of rows) {
        const sponsor = model.sponsorAt(ids.indexOf(id), Number.POSITIVE_INFINITY);
        expect(parentId).toBe(sponsor === null ? null : ids[sponsor]);
      }
    }),
    { numRuns: 25 },
  );
  await expectCleanBooks(app);
});
