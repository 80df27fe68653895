/** What a composition tells of its parts, and the port of a real process. docs/metrics.md */

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { renderInvariants } from '../../src/metrics/examine-regularly.ts';
import { metered } from '../../src/outgoing/call-meter.ts';
import { OutgoingFault } from '../../src/outgoing/outgoing-fault.ts';
import { replaceFile } from '../../src/replace-file.ts';
import { freePort } from '../support/app/free-port.ts';
import { startApiProcess } from '../support/app/model-process.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ METRICS_PORT: '0', JOBS: 'inline' });
});
afterAll(() => app.close());

const render = async (): Promise<string> => (await app.composition.metrics?.render()) ?? '';

test('pools, limits, places, sweeps and loops are told', async () => {
  await expect.poll(render, { timeout: 60_000 }).toMatch(/^svc_loop_last_pass_age_seconds\{loop="leases"\} [\d.e-]+$/m);
  const text = await render();
  expect(text).toMatch(/^svc_db_connections\{pool="api"\} 10$/m);
  expect(text).toContain(`\nsvc_db_connections{pool="worker"} ${app.config.WORKER_POOL_SIZE}\n`);
  expect(text).toMatch(/^svc_db_reachable\{pool="worker"\} 1$/m);
  expect(text).toMatch(/^svc_db_refused_total\{pool="api"\} 0$/m);
  expect(text).toMatch(/^svc_rate_limit_counters\{state="memory"\} 1$/m);
  expect(text).toMatch(/^svc_rate_limit_counters\{state="not counted"\} 0$/m);
  expect(text).toMatch(/^svc_tenant_gate_waiting 0$/m);
  expect(text).toMatch(/^svc_sweep_oldest_due_seconds\{sweep="seal-ledger"\} \d/m);
  expect(text).toMatch(/^svc_sweep_failures_total\{sweep="seal-ledger"\} 0$/m);
  expect(text).toMatch(/^svc_job_places\{lane="payouts"\} \d/m);
  expect(text).toMatch(/^process_start_time_seconds \d/m);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
});

test('a reader that throws leaves the others, and has one line', async () => {
  const { metrics } = app.composition;
  metrics?.readAtScrape('a thing', () => {
    throw new Error('it is gone');
  });
  expect(await render()).toContain('svc_build_info');
  expect(await render()).toContain('svc_db_waiting');
  expect(app.logLines.filter((line) => line.includes('the metrics of a thing cannot be read'))).toHaveLength(1);
});

test('calls to a vendor are counted by what they were and how they ended', async () => {
  const fails = (error: Error) => async (): Promise<void> => {
    throw error;
  };
  const vendor = metered(
    {
      pay: async (amount: number) => amount * 2,
      refuse: fails(new AppError('STATE_CONFLICT', 'no')),
      misconfigure: fails(new AppError('PROVIDER_CONFIGURATION', 'no')),
      hang: fails(new AppError('PROVIDER_UNAVAILABLE', 'no')),
      redirect: fails(new OutgoingFault('redirect')),
      break: fails(new TypeError('ours')),
      close: () => 'closed',
    },
    'payvendor',
    app.composition.metrics?.noteCall,
  );
  expect(await vendor.pay(21)).toBe(42);
  expect(vendor.close()).toBe('closed');
  for (const call of ['refuse', 'misconfigure', 'hang', 'redirect', 'break'] as const)
    await expect(vendor[call]()).rejects.toThrow();
  const text = await render();
  const told = [...text.matchAll(/^svc_vendor_calls_total\{vendor="payvendor",call="(\w+)",outcome="(\w+)"\} 1$/gm)];
  expect(Object.fromEntries(told.map(([, call, outcome]) => [call, outcome]))).toEqual({
    pay: 'ok',
    refuse: 'refused',
    misconfigure: 'misconfigured',
    hang: 'unavailable',
    redirect: 'misconfigured',
    break: 'failed',
  });
  expect(text).toMatch(/^svc_vendor_call_duration_seconds_count\{vendor="payvendor",call="pay"\} 1$/m);
});

test('only the named methods are counted, and without a meter the object is itself', async () => {
  const noted: string[] = [];
  const target = { ask: async () => 1, sign: async () => 2 };
  const some = metered(target, 'x', ({ call }) => void noted.push(call), ['ask']);
  await Promise.all([some.ask(), some.sign()]);
  expect(noted).toEqual(['ask']);
  expect(metered(target, 'x', undefined)).toBe(target);
});

test('the invariants as a file for a textfile collector', async () => {
  const file = path.join(app.config.DATA_DIR, 'doctor.prom');
  const results = [
    { id: 'I-1', title: 'one', breaches: [] },
    { id: 'I-2', title: 'two', breaches: [{ tenant_id: 'secret' }] },
  ];
  await replaceFile(file, await renderInvariants(results));
  const text = await readFile(file, 'utf8');
  expect(text).toContain('svc_doctor_invariant_ok{id="I-1"} 1\n');
  expect(text).toContain('svc_doctor_invariant_ok{id="I-2"} 0\n');
  expect(text).toMatch(/svc_doctor_last_success_timestamp_seconds \d/);
  expect(text).not.toMatch(/secret|svc_http/);
  await expect(replaceFile(path.join(app.config.DATA_DIR, 'no/such/folder/x'), '')).rejects.toThrow();
});

test('a process serves them on their own port, while it drains too', async () => {
  const port = await freePort();
  const api = await startApiProcess(app, { METRICS_PORT: String(port), SHUTDOWN_DELAY_MS: '3000' });
  const metrics = `http://127.0.0.1:${port}/metrics`;
  await fetch(`${api.baseUrl}/healthz`);
  await expect.poll(async () => (await fetch(metrics)).text(), { timeout: 60_000 }).toContain('route="/healthz",status="200"');
  expect((await fetch(`${api.baseUrl}/metrics`)).status).toBe(404);
  const stopped = api.stop();
  await expect.poll(async () => (await fetch(`${api.baseUrl}/readyz`)).status, { timeout: 15_000, interval: 20 }).toBe(503);
  expect((await fetch(metrics)).status).toBe(200);
  await stopped;
  await expect(fetch(metrics)).rejects.toThrow();
});

test('the public port cannot be given to them', async () => {
  const { loadServiceConfig } = await import('../../src/service.ts');
  const base = {
    DATABASE_URL: 'postgres://x@y/z',
    API_KEY_PEPPER: Buffer.alloc(32).toString('base64'),
    DATA_KEYS: `k:${Buffer.alloc(32).toString('base64')}`,
  };
  expect(() => loadServiceConfig({ ...base, PORT: '4000', METRICS_PORT: '4000' })).toThrow('METRICS_PORT: must not be PORT');
  expect(() => loadServiceConfig({ ...base, METRICS_PORT: '3000' })).toThrow('METRICS_PORT: must not be PORT');
  expect(loadServiceConfig({ ...base, METRICS_PORT: '9464' })).toMatchObject({ METRICS_PORT: 9464, METRICS_HOST: '127.0.0.1' });
  expect(() => loadServiceConfig({ ...base, DOCTOR_INTERVAL_MINUTES: '60' })).toThrow('DATABASE_ADMIN_URL: required with');
});
