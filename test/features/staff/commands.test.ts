/** People in the hands of the operator, by commands as they are typed. Source: docs/specification/people.md#operator. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../../support/app/run-cli.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { plantSignedIn, staffOf } from '../../support/app/test-people.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('invite, end-sessions and disable', async () => {
  const { tenantId } = await app.newTenant();
  const owner = await plantSignedIn(app, tenantId);
  const person = await plantSignedIn(app, tenantId, { role: 'reviewer' });
  const words = ['--tenant', tenantId];
  const invited = await runCli(app, 'staff', 'invite', ...words, '--role', 'admin', '--email', 'cli@example.com');
  expect(invited.code).toBe(0);
  const token = /welcome\/([\w-]{43})/.exec(invited.stdout)?.[1] ?? '';
  expect(await staffOf(app).links.look(token)).toMatchObject({ kind: 'invite', role: 'admin', email: 'cli@example.com' });
  expect((await runCli(app, 'staff', 'end-sessions', person.email, ...words)).stdout).toContain('1 sessions');
  const lastOwner = await runCli(app, 'staff', 'disable', owner.email, ...words);
  expect([lastOwner.code === 0, lastOwner.stderr.includes('no active owner')]).toEqual([false, true]);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(await staffOf(app).sessions.resolve(person.cookie)).toBeUndefined();
  expect(await staffOf(app).sessions.resolve(owner.cookie)).toBeDefined();
});

// The commands end in the same calls; each of them as a process of its own would take minutes.
test('what they call refuses what is no role, whom nobody has, and who is here already', async () => {
  const { tenantId } = await app.newTenant();
  const owner = await plantSignedIn(app, tenantId);
  const { operator } = staffOf(app);
  await expect(operator.invite(tenantId, { role: 'king', email: 'x@example.com' })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  });
  await expect(operator.invite(tenantId, { role: 'admin' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  await expect(operator.invite(tenantId, { role: 'admin', email: owner.email })).rejects.toMatchObject({ code: 'STAFF_EXISTS' });
  await expect(operator.endSessions(tenantId, 'nobody@example.com')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(operator.resetPassword(tenantId, 'nobody@example.com')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect((await operator.list(tenantId)).map(({ email }) => email)).toEqual([owner.email]);
});
