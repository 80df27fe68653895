/** The statements of the operations of leads. */
import { newLead } from '../../support/statements/made-before.ts';
import { email, read, type StatementRow, write } from '../../support/statements/statement-row.ts';

const captured = ['webhooks_heard', 'leads_lock_email', 'attribution_candidates', 'leads_capture'];

export const leadStatements: StatementRow[] = [
  ['captureLead', ({ client }) => client.post('/api/v1/leads/capture', email()), 201, write(...captured)],
  [
    'captureLead that finds a referrer, with its receipt',
    ({ client, chain }) => client.post('/api/v1/leads/capture', { ...email(), referral_code: chain[0]?.referral_code }),
    201,
    write(...captured),
  ],
  ['listLeads of 1', ({ client }) => client.get('/api/v1/leads?limit=1'), 200, read('built')],
  ['listLeads of 100', ({ client }) => client.get('/api/v1/leads?limit=100'), 200, read('built')],
  ['getLead', async (world) => world.client.get(`/api/v1/leads/${(await newLead(world)).id}`), 200, read('leads_find')],
  [
    'updateLead',
    async (world) => world.client.patch(`/api/v1/leads/${(await newLead(world)).id}`, { conversion_status: 'qualified' }),
    200,
    write('leads_lock', 'leads_update', 'webhooks_heard', 'audit_insert'),
  ],
  [
    'convertLead under 45',
    async (world) => world.client.post(`/api/v1/leads/${(await newLead(world, world.deep[0])).id}/convert`, {}),
    201,
    write(
      'leads_lock_email_of',
      'leads_find',
      'webhooks_heard',
      'users_lock_sign_up',
      'users_insert',
      'leads_find',
      'audit_insert',
    ),
  ],
];
