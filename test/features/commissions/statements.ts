/** The statements of the operations of commissions and their plans. */
import { defaultPlanFor } from '../../../src/features/commissions/open/plan-definition.ts';
import { newLine } from '../../support/statements/made-before.ts';
import { alone, countStatements, read, write } from '../../support/statements/statement-row.ts';

const plansPath = '/api/v1/commission-plans';
const newPlan = () => ({ name: 'Plan', definition: defaultPlanFor('USD') });
const acted = [
  'commissions_lock_original',
  'commissions_lock_family',
  'commissions_now',
  'commissions_change_status',
  'commissions_insert_action',
  'commissions_find',
  'webhooks_heard',
  'audit_insert',
];

export const commissionStatements = countStatements(
  async ({ client }) => ({
    planId: (await client.post(plansPath, newPlan())).body.id as string,
    sparePlanId: (await client.post(plansPath, newPlan())).body.id as string,
  }),
  [
    ['listCommissions of 100', ({ client }) => client.get('/api/v1/commissions?limit=100'), 200, read('built')],
    [
      'getCommission',
      async (world) => world.client.get(`/api/v1/commissions/${await newLine(world)}`),
      200,
      alone('commissions_find'),
    ],
    [
      'explainCommission',
      async (world) => world.client.get(`/api/v1/commissions/${await newLine(world)}/explain`),
      200,
      read('commissions_find', 'commissions_line_sale', 'commissions_line_history'),
    ],
    [
      'holdCommission',
      async (world) => world.client.post(`/api/v1/commissions/${await newLine(world)}/hold`, {}),
      200,
      write(...acted),
    ],
    [
      'releaseCommission',
      async (world) => {
        const id = await newLine(world);
        await world.client.post(`/api/v1/commissions/${id}/hold`, {});
        world.forget();
        return world.client.post(`/api/v1/commissions/${id}/release`, {});
      },
      200,
      write(...acted.toSpliced(3, 0, 'commissions_open_dispute')),
    ],
    [
      'voidCommission',
      async (world) => world.client.post(`/api/v1/commissions/${await newLine(world)}/void`, {}),
      200,
      write(...acted),
    ],
    ['createCommissionPlan', ({ client }) => client.post(plansPath, newPlan()), 201, write('plans_insert', 'audit_insert')],
    ['listCommissionPlans of 1', ({ client }) => client.get(`${plansPath}?limit=1`), 200, read('plans_list', 'plans_covers')],
    ['listCommissionPlans of 100', ({ client }) => client.get(`${plansPath}?limit=100`), 200, read('plans_list', 'plans_covers')],
    [
      'getCommissionPlan',
      ({ client, planId }) => client.get(`${plansPath}/${planId}`),
      200,
      read('plans_find', 'plans_versions'),
    ],
    [
      'lintCommissionPlan',
      ({ client }) => client.post(`${plansPath}/lint`, { definition: defaultPlanFor('USD') }),
      200,
      write('plans_default_currency'),
    ],
    [
      'lintCommissionPlan of a plan',
      ({ client, planId }) => client.post(`${plansPath}/lint`, { planId, definition: defaultPlanFor('USD') }),
      200,
      write('plans_find'),
    ],
    [
      'updateCommissionPlan',
      ({ client, planId }) => client.patch(`${plansPath}/${planId}`, { name: 'Again' }),
      200,
      write('plans_versions', 'plans_update', 'audit_insert'),
    ],
    [
      'publishCommissionPlan',
      ({ client, planId }) => client.post(`${plansPath}/${planId}/publish`, { effectiveFrom: '2099-01-01T00:00:00Z' }),
      201,
      write('plans_lock_for_publication', 'plans_latest_version', 'plans_insert_version', 'audit_insert'),
    ],
    [
      'deleteCommissionPlan',
      async ({ app, liveKey, sparePlanId }) => app.http.delete(`${plansPath}/${sparePlanId}`).set('x-tenant-api-key', liveKey),
      200,
      write('plans_lock_for_deletion', 'plans_delete', 'audit_insert'),
    ],
  ],
);
