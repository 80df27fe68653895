/** The port of /metrics: docs/metrics.md#port. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { type MetricsServer, startMetricsServer } from '../../src/metrics/metrics-server.ts';
import { sendWire } from '../support/app/raw-http.ts';

const lines: string[] = [];
const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
const servers: MetricsServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  lines.length = 0;
});

async function serve(render: () => Promise<string> = async () => 'up 1\n'): Promise<string> {
  const metrics = { contentType: 'text/plain; version=0.0.4', render };
  const server = await startMetricsServer({ port: 0, host: '127.0.0.1', metrics, logger });
  servers.push(server);
  return `http://127.0.0.1:${server.port}`;
}

test('GET and HEAD of /metrics are answered, everything else is 404', async () => {
  const base = await serve();
  const got = await fetch(`${base}/metrics`);
  expect([got.status, await got.text(), got.headers.get('content-type')]).toEqual([200, 'up 1\n', 'text/plain; version=0.0.4']);
  expect(got.headers.get('cache-control')).toBe('no-store');
  expect((await fetch(`${base}/metrics?name[]=up`)).status).toBe(200);
  const head = await fetch(`${base}/metrics`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  for (const path of ['/', '/metrics/', '/metricsx', '/healthz', '/api/v1/users', '/%6detrics', '//metrics']) {
    expect([path, (await fetch(`${base}${path}`)).status]).toEqual([path, 404]);
  }
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
    expect([method, (await sendWire(base, { method, target: '/metrics', body: 'x' })).status]).toEqual([method, 404]);
  }
});

test('who asks at the same time shares one rendering', async () => {
  let rendered = 0;
  const gate = Promise.withResolvers<void>();
  const base = await serve(async () => {
    rendered += 1;
    await gate.promise;
    return 'up 1\n';
  });
  const asked = Array.from({ length: 5 }, () => fetch(`${base}/metrics`));
  await expect.poll(() => rendered, { timeout: 60_000 }).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 100));
  gate.resolve();
  expect(await Promise.all(asked.map(async (one) => (await one).status))).toEqual([200, 200, 200, 200, 200]);
  expect(rendered).toBe(1);
});

test('a rendering that fails is 500 without its cause, and has one line until one succeeds', async () => {
  let broken = true;
  const base = await serve(async () => {
    if (broken) throw new Error('of the inside');
    return 'up 1\n';
  });
  for (let times = 0; times < 3; times++) {
    const got = await fetch(`${base}/metrics`);
    expect(got.status).toBe(500);
    expect(await got.text()).not.toContain('of the inside');
  }
  expect(lines.filter((line) => line.includes('cannot be told'))).toHaveLength(1);
  broken = false;
  expect((await fetch(`${base}/metrics`)).status).toBe(200);
});

test('a port that is taken is told by the name of the setting', async () => {
  const base = await serve();
  const again = startMetricsServer({
    port: Number(new URL(base).port),
    host: '127.0.0.1',
    metrics: { contentType: '', render: async () => '' },
    logger,
  });
  await expect(again).rejects.toThrow(
    /^METRICS_PORT: cannot listen on 127\.0\.0\.1:\d+ \(.*EADDRINUSE.*\); set another, or none$/,
  );
});

test('it closes though somebody holds a connection and says nothing', async () => {
  const base = await serve();
  const socket = connect({ port: Number(new URL(base).port), host: '127.0.0.1' });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  await servers.pop()?.close();
  await closed;
});
