/** From two members to a payout: `MCR_KEY=svc_sandbox_… MCR_WEBHOOK_SECRET=whsec_… node --conditions=source first-journey.ts` */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { amount, createClient, exact, webhooks } from '@mcr/sdk';

const { MCR_KEY: apiKey = '', MCR_URL: baseUrl, MCR_WEBHOOK_SECRET: secret = '', PORT = '4000' } = process.env;
const api = createClient({ apiKey, baseUrl });

async function receive(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const event = webhooks.verify(Buffer.concat(await req.toArray()), req.headers, secret);
  res.end();
  if (event.type !== 'payout.paid' || !event.data) return;
  console.log(`verified: ${event.type}, ${amount(exact(event.data, 'amountMinor'), event.data.currency)} ${event.data.currency}`);
  receiver.close();
}
const receiver = createServer((req, res) => void receive(req, res)).listen(Number(PORT));

await api.updateSettings({ payments: { provider: 'payvendor', requireKyc: false, accountCooldownHours: 0 } });
const ann = await api.createUser({ email: 'ann@shop.example', external_id: 'ann', membership_tier: 'SENIOR' });
const bob = await api.createUser({ email: 'bob@shop.example', external_id: 'bob', referral_code: ann.referral_code });
const home = { addressLine1: '1 Main St', city: 'Boston', state: 'MA', postalCode: '02101', countryCode: 'USA' };
const person = { givenName: 'Bob', surname: 'Lee', dateOfBirth: '1990-01-31', countryCode: 'USA', address: home };
await api.updateProfile({ userId: bob.id, ...person });
const bankAccount = { routingNumber: '110000000', accountNumber: '000123456789', accountHolderName: 'Bob Lee' };
await api.createPayoutAccount({ userId: bob.id, methodType: 'us_bank_transfer', currency: 'USD', bankAccount });

const order = { external_event_id: 'order-1', amount_minor: 100_000, currency: 'USD', customer: { external_id: 'c-1' } };
const purchase = await api.recordPurchase({ ...order, attribution: { user_id: bob.id } });
for (const line of purchase.commissions) console.log(`level ${line.level}: ${amount(line.amount_minor, line.currency)}`);
await api.recordRefund({ external_event_id: 'refund-1', purchase_external_event_id: 'order-1', amount_minor: 20_000 });
await api.moveSandboxClock({ advanceSeconds: 40 * 86_400 });
for await (const line of api.listCommissions.all({ userId: bob.id })) console.log(`${line.kind}: ${line.status}`);

const run = await api.createPayoutRun({ currency: 'USD' });
await api.approvePayoutRun({ runId: run.id });
const { status } = await api.executePayoutRun({ runId: run.id });
console.log(`run: ${status}`);
