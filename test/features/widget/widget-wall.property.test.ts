/**
 * The wall around a member, in the widget: whatever a session asks for by id, filter, cursor or body, it is shown nothing
 * of another member, environment or tenant, and changes nothing there. Source: docs/specification/widget.md#reads.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { payOut } from '../../support/money/pay-out.ts';
import { beginWidget, type Frame, frameWith } from '../../support/widget/widget-session.ts';

interface Viewer {
  frame: Frame;
  memberId: string;
  client: ApiClient;
  /** Whatever names something of the member's: none of it may be shown to anybody else. */
  marks: string[];
  /** Ids to ask by. */
  ids: string[];
  /** Of the member's own pages. */
  cursors: string[];
}

let app: TestApp;
let viewers: Viewer[];

beforeAll(async () => {
  app = await startTestApp();
  const [one, two] = [await app.newTenant(), await app.newTenant()];
  const clients = [one.liveKey, one.liveKey, one.sandboxKey, two.liveKey].map((key) => apiClient(app, key));
  viewers = [];
  for (const [index, client] of clients.entries()) viewers.push(await plant(client, `Member${index}x`));
});
afterAll(() => app.close());

async function created(client: ApiClient, path: string, body: object) {
  const answer = await client.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

async function plant(client: ApiClient, name: string): Promise<Viewer> {
  const answer = await client.patch('/api/v1/admin/settings', { referrals: { allowedDestinationHosts: ['shop.example'] } });
  expect(answer.status, answer.text).toBe(200);
  const member = await client.newMember({ name: `${name} Surname`, email: `${name}@mark.example`, membership_tier: 'DIRECTOR' });
  const recruits = [];
  for (let at = 0; at < 22; at++) {
    recruits.push(await client.newMember({ parent_id: member.id, name: `Recruitof${name}n${at} Hidden${name}` }));
  }
  const sales = [];
  for (let at = 0; at < 21; at++) {
    sales.push(
      await created(client, '/api/v1/events/purchase', {
        ...client.purchaseBody({ amount_minor: 70_000 + at }),
        customer: { external_id: `customer-${name}-${at}`, name: `Buyer of ${name}`, email: `buyer${at}@${name}.example` },
        attribution: { user_id: recruits[at % 3]?.id },
      }),
    );
  }
  const lines: { id: string }[] = sales.flatMap(({ commissions }) =>
    commissions.filter((line: { user_id: string }) => line.user_id === member.id),
  );
  await payOut(app, [lines[0]?.id ?? '']);
  const links = [];
  for (let at = 0; at < 12; at++) {
    links.push(
      await created(client, '/api/v1/referrals/links', {
        user_id: member.id,
        destination_url: `https://shop.example/${name}/${at}`,
        slug: `${name.toLowerCase()}-${at}`,
        name: `Link of ${name}`,
      }),
    );
  }
  const frame = frameWith(app, (await beginWidget(client, member.id)).widgetToken);
  const pages = await Promise.all(['/links', '/earnings', '/team'].map((path) => frame.get(path)));
  const cursors = pages.map(({ body }) => body.nextCursor as string);
  expect(cursors.every((cursor) => typeof cursor === 'string')).toBe(true);
  const ids = [member, ...recruits, ...lines, ...links].map(({ id }) => id as string);
  return {
    frame,
    memberId: member.id,
    client,
    ids: [...ids, ...sales.map(({ event_id }) => event_id as string)],
    marks: [...ids, name, name.toLowerCase(), member.referral_code],
    cursors,
  };
}

const shot = fc.record({
  by: fc.nat({ max: 3 }),
  at: fc.nat({ max: 3 }),
  page: fc.constantFrom(
    'session',
    'summary',
    'links',
    'earnings',
    'team',
    'earnings/',
    'links/',
    'links//qr',
    'POST links',
    'POST links/',
  ),
  id: fc.nat(),
  query: fc.dictionary(
    fc.constantFrom('cursor', 'userId', 'user_id', 'currency', 'month', 'theme', 'memberId', 'sort', 'q'),
    fc.oneof(
      fc.constant('<cursor>'),
      fc.constant('<id>'),
      fc.constantFrom('USD', 'EUR', '2026-11', 'all', '-createdAt'),
      fc.string(),
    ),
    { maxKeys: 3 },
  ),
});

type Shot = typeof shot extends fc.Arbitrary<infer T> ? T : never;

async function fire({ by, at, page, id, query }: Shot): Promise<void> {
  const [viewer, other] = [viewers[by], viewers[at]];
  if (!viewer || !other || viewer === other) return;
  const wanted = other.ids[id % other.ids.length] ?? '';
  const cursor = other.cursors[id % other.cursors.length] ?? '';
  const said = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [
      name,
      value === '<cursor>' ? cursor : value === '<id>' ? wanted : value,
    ]),
  ).toString();
  const path = `/${page.replace('POST ', '').replace('links//qr', `links/${wanted}/qr`).replace(/\/$/, `/${wanted}`)}`;
  const body =
    page === 'POST links' ? { destinationUrl: `https://shop.example/${id}`, user_id: other.memberId } : { status: 'disabled' };
  const before = await stateOf(other);
  const answer = page.startsWith('POST') ? await viewer.frame.post(path, body) : await viewer.frame.get(`${path}?${said}`);
  expect(answer.status, answer.text).toBeLessThan(500);
  // What was said is told back in the words of a refusal.
  const told = `${answer.text ?? ''}${JSON.stringify(answer.body)}`.replaceAll(wanted, '').replaceAll(cursor, '');
  for (const mark of other.marks) expect(told, `${path} shows ${mark}`).not.toContain(mark);
  expect(await stateOf(other)).toEqual(before);
  if (/^(?:earnings\/|links\/)/.test(page)) expect(answer.status, path).toBeGreaterThanOrEqual(400);
}

async function stateOf({ memberId }: Viewer): Promise<unknown> {
  return app.database.asSuperuser('select id, status, updated_at from referral_link where member_id = $1 order by id', [
    memberId,
  ]);
}

test('no session of the widget is shown or changes anything of another member', async () => {
  await fc.assert(fc.asyncProperty(shot, fire), { numRuns: 400 });
});

test('whoever it is, the own pages show the own marks, so that marks can be found', async () => {
  for (const { frame, marks } of viewers) {
    const told = (await Promise.all(['/links', '/earnings', '/team'].map((path) => frame.get(path))))
      .map(({ text }) => text)
      .join();
    expect(marks.filter((mark) => told.includes(mark)).length).toBeGreaterThan(20);
  }
});
