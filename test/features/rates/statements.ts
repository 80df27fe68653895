/** The statements of the operations of agreed rates. */
import { newUpline } from '../../support/money/model-upline.ts';
import { alone, countStatements, read, write } from '../../support/statements/statement-row.ts';

const RATES = '/api/v1/rate-overrides';
let override = '';

export const rateStatements = countStatements(
  // Its own: sales ask who something was ever agreed with.
  async ({ client }) => ({ one: (await newUpline(client, 'D'))[0] }),
  [
    [
      'createRateOverride',
      async ({ client, one }) => {
        const answer = await client.post(RATES, { target: 'member', targetId: one?.id, pay: { rateBps: 1200 } });
        override = answer.body.id;
        return answer;
      },
      201,
      write(
        'rates_lock_history',
        'rates_lock_owner',
        'rates_series_at',
        'two_hands_rule',
        'pending_changes_lock_of_fields',
        'rates_insert_override',
        'webhooks_heard',
        'audit_insert',
        'rates_find_override',
        'plans_in_force',
      ),
    ],
    ['listRateOverrides', ({ client }) => client.get(RATES), 200, read('rates_list_overrides')],
    ['getRateOverride', ({ client }) => client.get(`${RATES}/${override}`), 200, alone('rates_find_override')],
    [
      'getMemberRates',
      ({ client, one }) => client.get(`/api/v1/members/${one?.id}/rates`),
      200,
      read('rates_now', 'events_upline_as_of', 'plans_in_force', 'rates_agreed_of'),
    ],
    [
      'endRateOverride',
      ({ client }) => client.post(`${RATES}/${override}/end`, {}),
      200,
      write(
        'rates_lock_history',
        'rates_find_override',
        'rates_lock_owner',
        'rates_series_at',
        'rates_insert_override',
        'webhooks_heard',
        'audit_insert',
        'rates_find_override',
      ),
    ],
  ],
);
