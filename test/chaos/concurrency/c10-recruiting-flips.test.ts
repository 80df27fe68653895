/**
 * C-10 (docs/specification/reliability.md#c-10): while a sponsor's can_recruit flips, every accepted child has
 * a commit order in which the flag was true. A deferred trigger, planted by the superuser, notes the committed
 * flag at the moment each child commits. Half of the requests carry an Idempotency-Key, whose frame stays open
 * behind the insert: the hold there leaves a flip all the room it could want. Were the flag not locked until
 * the child's commit, some children would note false.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import { countStatuses, type Load, openLoad, type RawAnswer } from '../../support/app/model-load.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';

const ROUNDS = 12;
const CHILDREN = 16;

let app: TestApp;
let load: Load;

beforeAll(async () => {
  app = await startTestApp({ DATABASE_POOL_SIZE: '20', FAULT_POINTS: 'member:written=hold:20' });
  load = openLoad();
  await app.database.asSuperuser(`
    create table noted (child_id uuid, could_recruit boolean);
    create function note_flag() returns trigger language plpgsql security definer as $$
    begin
      insert into noted select new.id, p.can_recruit from public.member p
        where p.tenant_id = new.tenant_id and p.environment = new.environment and p.id = new.parent_id;
      return null;
    end $$;
    create constraint trigger note_flag after insert on member deferrable initially deferred
      for each row when (new.parent_id is not null) execute function note_flag()`);
});
afterAll(async () => {
  load.close();
  await app.close();
});

test('children created while can_recruit flips', async () => {
  const { liveKey: key } = await app.newTenant();
  const client = apiClient(app, key);
  const sponsor = await client.newMember();
  const create = (name: string, by: object, keyed: boolean) =>
    load.send({
      baseUrl: app.baseUrl,
      key,
      path: '/api/v1/users',
      body: { email: `${name}@shop.example`, ...by },
      headers: keyed ? { 'idempotency-key': name } : {},
    });
  const flip = (to: boolean) =>
    load.send({ baseUrl: app.baseUrl, key, method: 'PATCH', path: `/api/v1/users/${sponsor.id}`, body: { can_recruit: to } });

  const answers: RawAnswer[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const children = Array.from({ length: CHILDREN }, (_, index) => {
      const by = index % 2 === 0 ? { parent_id: sponsor.id } : { referral_code: sponsor.referral_code };
      return create(`child-${round}-${index}`, by, index % 4 < 2);
    });
    const flips = [flip(round % 2 === 1), flip(round % 2 === 0), flip(round % 2 === 1)];
    answers.push(...(await Promise.all(children)));
    expect(countStatuses(await Promise.all(flips))).toEqual({ 200: 3 });
  }
  const counts = countStatuses(answers);
  expect(Object.keys(counts)).toEqual(['201', '403']); // both happen, and nothing else
  const noted = await app.database.asSuperuser<{ could_recruit: boolean }>('select could_recruit from noted');
  expect(noted).toHaveLength(counts[201] ?? 0);
  expect(noted.filter((row) => !row.could_recruit)).toEqual([]);
});
