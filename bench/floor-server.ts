/**
 * The floor of read, create and redirect: Express 5 and Knex as one writes them without thinking about any of
 * it, and nothing else - no key, limit, validation, log line or transaction. It connects as the
 * superuser, so row-level security and role limits cost it nothing. Its settings are the first message.
 */
import { once } from 'node:events';
import express from 'express';
import knexFactory from 'knex';

export interface FloorServerSettings {
  port: number;
  databaseUrl: string;
  poolSize: number;
  tenantId: string;
  environment: 'LIVE' | 'SANDBOX';
}

const [settings] = (await once(process, 'message')) as [FloorServerSettings];
const { port, databaseUrl, poolSize, tenantId, environment } = settings;
const knex = knexFactory({ client: 'pg', connection: databaseUrl, pool: { min: poolSize, max: poolSize } });
const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.use(express.json());

app.get('/users/status', async (req, res) => {
  const member = await knex('member').where({ tenant_id: tenantId, environment, id: req.query['user_id'] }).first();
  if (member) res.json(member);
  else res.status(404).end();
});

app.post('/users', async (req, res) => {
  const { email, parent_id } = req.body as { email: string; parent_id: string };
  const [member] = await knex('member')
    .insert({
      tenant_id: tenantId,
      environment,
      email,
      email_norm: email.toLowerCase(),
      membership_tier: 'ORDINARY',
      parent_id,
      is_active: true,
      can_recruit: true,
      is_test_user: false,
      pay_currency: 'USD',
    })
    .returning('*');
  res.status(201).json(member);
});

app.get('/r/:linkId/:memberId', async (req, res) => {
  await knex('referral_click').insert({
    tenant_id: tenantId,
    environment,
    link_id: req.params.linkId,
    member_id: req.params.memberId,
    kind: 'redirect',
    clicked_at: new Date(),
    referrer_host: new URL(req.get('referer') ?? '').hostname,
  });
  res.redirect('https://shop.example/spring');
});

app.listen(port, '127.0.0.1', () => process.send?.('ready'));
