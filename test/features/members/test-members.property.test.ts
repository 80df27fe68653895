/** Test members in the sizes of teams, over random histories: docs/specification/hierarchy.md#test-members. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { newMember, newShop, setFlag, sizes } from './test-member-shop.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('the sizes of teams equal a count of the tree, whatever is flagged, moved and folded', async () => {
  const step = fc.record({
    kind: fc.constantFrom('join' as const, 'join' as const, 'join' as const, 'flag' as const, 'move' as const, 'fold' as const),
    who: fc.nat(1_000),
    whom: fc.nat(1_000),
    flag: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), async (steps) => {
      const { client, scope } = await newShop(app);
      const members = [await newMember(client)];
      for (const { kind, who, whom, flag } of steps) {
        const [one, other] = [members[who % members.length], members[whom % members.length]];
        if (!one || !other) throw new Error('nobody');
        if (kind === 'join') members.push(await newMember(client, one, { is_test_user: flag, is_active: whom % 3 > 0 }));
        else if (kind === 'flag') await setFlag(app, one, flag);
        else if (kind === 'move') await client.post(`/api/v1/members/${one.id}/sponsor`, { sponsorId: other.id });
        else await app.runSweep('fold-downline', scope);
      }
      const rows = await app.database.asSuperuser<{ id: string; parent_id: string | null; test: boolean; active: boolean }>(
        'select id, parent_id, is_test_user as test, is_active as active from member where tenant_id = $1',
        [scope.tenantId],
      );
      const below = (id: string): typeof rows =>
        rows.filter((row) => row.parent_id === id).flatMap((row) => [row, ...below(row.id)]);
      for (const member of members) {
        const real = below(member.id).filter((row) => !row.test);
        const direct = real.filter((row) => row.parent_id === member.id).length;
        const { referrals, team } = await sizes(client, member);
        expect([referrals, team]).toEqual([
          [real.length, direct, real.length],
          [real.length, direct, real.filter((row) => row.active).length, real.length],
        ]);
      }
    }),
    { numRuns: 8, interruptAfterTimeLimit: 25_000 },
  );
});
