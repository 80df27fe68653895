/** Purchases and their commissions for the fuzzer. */
import { call } from '../../support/app/http-call.ts';
import type { PlantSeeds } from '../../support/openapi/feature-seeds.ts';

/** Old and large purchases, for refunds of any time and amount; a third of their commissions is on hold. */
export const seeds: PlantSeeds = async ({ world, side }) => {
  const headers = { 'x-tenant-api-key': side.key };
  const post = (target: string, body: object) => call(world.app.baseUrl, { method: 'POST', target, headers, body });
  const fourYearsAgo = new Date();
  fourYearsAgo.setUTCFullYear(fourYearsAgo.getUTCFullYear() - 4);
  const events = Array.from({ length: 120 }, (_, index) => ({
    kind: 'purchase',
    external_event_id: `fuzz-${index}`,
    amount_minor: 999_999_999_999,
    currency: 'USD',
    occurred_at: fourYearsAgo,
    customer: { external_id: `fuzz-${index}` },
    attribution: { user_id: side.root.id },
  }));
  const answer = (await post('/api/v1/events/batch', { events })).json as {
    results: { body: { external_event_id: string; commissions: { id: string }[] } }[];
  };
  const sales = answer.results.map(({ body }) => ({ id: body.commissions[0]?.id ?? '', name: body.external_event_id }));
  for (const { id } of sales.slice(0, 40)) await post(`/api/v1/commissions/${id}/hold`, {});
  return {
    commissionId: sales.slice(0, 60).map(({ id }) => id),
    purchase_external_event_id: sales.slice(60).map(({ name }) => name),
  };
};
