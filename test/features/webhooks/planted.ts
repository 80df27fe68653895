/** The secrets of an endpoint, and a header of its own. */
import { randomUUID } from 'node:crypto';
import type { PlantSecrets } from '../../support/database/planted-secrets.ts';

const ENDPOINTS = '/api/v1/webhook-endpoints';

export const plantSecrets: PlantSecrets = async ({ client }) => {
  const gate = `gate-${randomUUID()}`;
  const made = await client.post(ENDPOINTS, {
    url: 'https://hooks.example/planted',
    eventTypes: ['webhook_endpoint.*'],
    headers: { 'X-Gate': gate },
  });
  if (made.status !== 201) throw new Error(`no endpoint: ${made.status} ${made.text}`);
  const rotated = await client.post(`${ENDPOINTS}/${made.body.id}/rotate-secret`, { overlapHours: 24 });
  return {
    secrets: {
      'the secret of an endpoint': rotated.body.secret.replace('whsec_', ''),
      'the one before': made.body.secret.replace('whsec_', ''),
      "a header of the endpoint's own": gate,
    },
    tables: ['webhook_endpoint'],
  };
};
