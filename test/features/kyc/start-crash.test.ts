/** A process killed with -9 at each step of a start: the next start goes on, with one record and one applicant. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FaultPoint } from '../../../src/fault-points.ts';
import { startApiProcess } from '../../support/app/model-process.ts';
import {
  auditOf,
  type KycTenant,
  type KycWorld,
  newKycTenant,
  recordOf,
  startKycWorld,
  startPath,
} from '../../support/kyc/kyc-world.ts';

let world: KycWorld;
let live: KycTenant;

beforeAll(async () => {
  world = await startKycWorld();
  live = await newKycTenant(world);
});
afterAll(() => world.close());

const POINTS: readonly FaultPoint[] = ['kyc:record-ensured', 'kyc:applicant-made', 'kyc:applicant-stored', 'kyc:token-made'];

test.each(POINTS)('at %s', async (point) => {
  const { id } = await live.client.newMember();
  const process = await startApiProcess(world.app, { FAULT_POINTS: `${point}=kill`, OUTGOING_ALLOWED_HOSTS: world.vendor.host });
  const headers = { 'x-tenant-api-key': live.key, 'content-type': 'application/json' };
  await expect(fetch(process.baseUrl + startPath(id), { method: 'POST', headers, body: '{}' })).rejects.toThrow();
  expect(await process.ended).toBe('SIGKILL');

  const again = await live.client.post(startPath(id), {});
  expect(again.status).toBe(200);
  const applicants = [...world.vendor.applicants.values()].filter(({ externalUserId }) => externalUserId === id);
  expect(applicants).toHaveLength(1);
  expect(again.body.sdkConfig).toMatchObject({ applicantId: applicants[0]?.id, accessToken: world.vendor.tokens.at(-1) });
  expect(await recordOf(world, id)).toMatchObject({ provider_applicant_id: applicants[0]?.id });
  expect((await auditOf(world, again.body.kycRecordId)).map(({ action }) => action)).toEqual([
    'kyc_record.created',
    'kyc_record.applicant_linked',
  ]);
});
