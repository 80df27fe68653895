/**
 * The chaos table (docs/chaos.md): two API processes and a worker under load, one fault after the other. No acknowledged
 * write is lost or doubled, the doctor finds nothing, and all is well within ten seconds.
 */
import { appendFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { type Load, openShop, type Shop, startLoad, type Tenant } from '../../support/trial/shop.ts';
import { openTrial, type Trial } from '../../support/trial/trial.ts';
import { FAULTS } from './faults.ts';
import { type Fault, measure } from './measure.ts';
import { openPayouts, PAYING, type Payouts } from './payouts.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

/** 25 clients with two actions a second each. */
const LOAD = { clients: 25, everyMs: 500 };

let trial: Trial;
let shops: Shop[];
let load: Load;
let payouts: Payouts;

beforeAll(async () => {
  trial = await openTrial();
  const [payer, ...others] = trial.tenants;
  for (const tenant of others) await allowLinks(trial, tenant);
  if (!payer) throw new Error('the trial has no tenants');
  payouts = await openPayouts(trial, payer);
  shops = await Promise.all(others.map((tenant, index) => openShop(trial.caller, tenant, `shop-${index}`)));
  load = startLoad(shops, LOAD);
  await load.pause();
});
afterAll(async () => {
  await load?.stop();
  await payouts?.close();
  await trial?.close();
});

async function allowLinks({ caller }: Trial, { liveKey }: Tenant): Promise<void> {
  const body = { referrals: { allowedDestinationHosts: ['shop.example'] } };
  await caller.send({ method: 'PATCH', path: '/api/v1/admin/settings', key: liveKey, body });
}

/** A database that was failed over is another one, in which nothing is paid before somebody has looked. */
const isFailOver = ({ name }: Fault): boolean => name.startsWith('failover');

async function tryOut(fault: Fault): Promise<void> {
  const row = await measure(trial, load, shops, fault);
  await appendFile(inject('chaosTable'), `${JSON.stringify(row)}\n`);
  expect(row.faults).toEqual([]);
}

test(PAYING, () => tryOut(payouts.fault));

test.each(FAULTS.filter((fault) => !isFailOver(fault)))('$name', tryOut);

test('each member was sent its money once, and the service knows', async () => {
  const { payouts: wanted, ...found } = await payouts.settled();
  expect(found).toEqual({ sent: wanted, atVendor: wanted, most: 1 });
});

test.each(FAULTS.filter(isFailOver))('$name', tryOut);
