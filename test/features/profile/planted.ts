/** ID numbers, of which the last four digits alone are shown. */
import { randomInt, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { fingerprintOf } from '../../../src/http/idempotency.ts';
import type { PlantSecrets } from '../../support/database/planted-secrets.ts';

export const plantSecrets: PlantSecrets = async ({ client, visible }) => {
  const idNumber = `ID-${randomInt(1e12, 1e13)}-Q`;
  const former = `ID-${randomInt(1e12, 1e13)}-R`;
  const member = await client.newMember();
  const path = `/api/v1/members/${member.id}/profile`;
  await client.patch(path, { idNumber: former });
  // With a key, so that request and answer are remembered.
  const answer = await client.patch(path, { idNumber, surname: visible }, { 'idempotency-key': randomUUID() });
  expect(answer.body.idNumber).toBe(`•••• ${idNumber.slice(-4)}`);
  const own = await client.get('/api/v1/admin/api-keys');
  await client.patch(path, { idNumber: `${idNumber}§` });
  expect((await client.get(`/api/v1/members/${member.id}/data-export`)).body.profile.idNumber).toBe(idNumber);
  return {
    secrets: {
      'the ID number': idNumber,
      'a former ID number': former,
      // A digest of the whole request would do to guess the number by.
      'the remembered request': fingerprintOf({
        method: 'PATCH',
        url: path,
        body: { idNumber, surname: visible },
        subject: `api_key:${own.body.data[0].id}`,
      }),
    },
    tables: ['member_profile', 'idempotency_key', 'audit_log'],
  };
};
