/** Where tenants' hosts are looked up, by a name server of the test's (docs/decisions/0017-addresses-that-tenants-choose.md). */
import { afterEach, describe, expect, test } from 'vitest';
import { createHostLookUp } from '../../src/outgoing/look-up-host.ts';
import { createOutgoingClient } from '../../src/outgoing/outgoing-client.ts';
import { eventually } from '../support/jobs/test-jobs.ts';
import { type NameAnswer, type NameServer, startNameServer } from '../support/outgoing/name-server.ts';

const started: NameServer[] = [];
afterEach(() => {
  for (const server of started.splice(0)) server.close();
});

async function names(answer: (name: string, kind: string) => NameAnswer): Promise<NameServer> {
  const server = await startNameServer(answer);
  started.push(server);
  return server;
}

async function lookUp(answer: (name: string, kind: string) => NameAnswer, host = 'shop.test') {
  const server = await names(answer);
  return createHostLookUp([server.address])(host);
}
const of = (...addresses: string[]) => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('a look-up', () => {
  test('gives the addresses of both kinds, and asks once for each', async () => {
    const server = await names(() => ['8.8.8.8', '2606:4700::1111']);
    expect(await createHostLookUp([server.address])('shop.test')).toEqual(of('8.8.8.8', '2606:4700::1111'));
    expect(server.asked.toSorted()).toEqual(['A shop.test', 'AAAA shop.test']);
  });

  test('gives those of the kind that there is, also where the other fails or is never answered', async () => {
    expect(await lookUp(() => ['8.8.8.8'])).toEqual(of('8.8.8.8'));
    expect(await lookUp(() => ['2606:4700::1111'])).toEqual(of('2606:4700::1111'));
    expect(await lookUp((_name, kind) => (kind === 'A' ? ['8.8.8.8'] : 'servfail'))).toEqual(of('8.8.8.8'));
    expect(await lookUp((_name, kind) => (kind === 'A' ? ['8.8.8.8'] : 'silent'))).toEqual(of('8.8.8.8'));
  });

  test('follows another name', async () => {
    expect(await lookUp(() => ({ to: 'cloud.test', addresses: ['8.8.4.4'] }))).toEqual(of('8.8.4.4'));
  });

  test.each<[what: string, answer: NameAnswer, reason: string]>([
    ['there is not', 'nxdomain', 'unknown_host'],
    ['has no address', [], 'unknown_host'],
    ['leads to one without', { to: 'cloud.test', addresses: [] }, 'unknown_host'],
    ['fails', 'servfail', 'unknown_host'],
    ['is never answered', 'silent', 'timeout'],
  ])('of a name that %s is a fault', async (_what, answer, reason) => {
    await expect(lookUp(() => answer)).rejects.toMatchObject({ name: 'OutgoingFault', reason, unreachable: true });
  });

  test('of a name that cannot be one asks nobody', async () => {
    const server = await names(() => ['8.8.8.8']);
    const ask = createHostLookUp([server.address]);
    for (const host of ['localhost', 'postgres', 'postgres.', 'METADATA']) {
      await expect(ask(host), host).rejects.toMatchObject({ reason: 'blocked_address' });
    }
    await expect(ask('a..test')).rejects.toMatchObject({ reason: 'unknown_host' });
    expect(server.asked).toEqual([]);
  });

  test('is of the whole name: a dot behind it changes nothing, and no search domain is tried', async () => {
    const server = await names((name) => (name === 'shop.test' ? ['8.8.8.8'] : 'nxdomain'));
    const ask = createHostLookUp([server.address]);
    expect(await ask('shop.test.')).toEqual(of('8.8.8.8'));
    await expect(ask('other.test')).rejects.toMatchObject({ reason: 'unknown_host' });
    expect(new Set(server.asked)).toEqual(new Set(['A shop.test', 'AAAA shop.test', 'A other.test', 'AAAA other.test']));
  });

  test('that is under way is shared; the next one asks anew', async () => {
    const server = await names(() => ['8.8.8.8']);
    const ask = createHostLookUp([server.address]);
    await Promise.all(Array.from({ length: 50 }, (_, n) => ask(n % 2 ? 'shop.test' : 'Shop.test.')));
    expect(server.asked).toHaveLength(2);
    await ask('shop.test');
    expect(server.asked).toHaveLength(4);
  });

  test('waits for no other: hundreds that are never answered do not hold up one that is', async () => {
    const server = await names((name) => (name === 'shop.test' ? ['8.8.8.8'] : 'silent'));
    const ask = createHostLookUp([server.address]);
    let ended = 0;
    const slow: Promise<unknown>[] = [];
    // The server's socket holds some 250 questions: what comes at once beyond them is dropped.
    while (slow.length < 300) {
      for (let n = 0; n < 50; n++) slow.push(ask(`h${slow.length}.slow.test`).catch(() => void ended++));
      await eventually(() => Promise.resolve(new Set(server.asked).size === 2 * slow.length));
    }
    expect(await ask('shop.test')).toEqual(of('8.8.8.8'));
    await Promise.all(slow);
    expect(ended).toBe(300);
  });
});

describe('a delivery', () => {
  const delivery = () => ({
    headers: {},
    body: Buffer.from('{}'),
    timeoutMs: 10_000,
    keepBytes: 100,
    signal: new AbortController().signal,
  });

  async function deliverBy(...answers: NameAnswer[]) {
    const turns = new Map<string, number>();
    const server = await names((_name, kind) => {
      const turn = turns.get(kind) ?? 0;
      turns.set(kind, turn + 1);
      return answers[Math.min(turn, answers.length - 1)] ?? [];
    });
    const line = createOutgoingClient([], { nameServers: [server.address] }).openDeliveries('https://shop.test/hook');
    return { server, line };
  }

  test.each<[what: string, answer: NameAnswer]>([
    ['private', ['10.0.0.1']],
    ['loopback', ['127.0.0.1']],
    ['mixed', ['8.8.8.8', '169.254.169.254']],
    ['public in IPv4 and private in IPv6', ['8.8.8.8', 'fd00::1']],
    ['IPv4 in IPv6', ['::ffff:10.0.0.1']],
    ['behind another name', { to: 'db.internal.test', addresses: ['10.0.0.5'] }],
  ])('to a name whose addresses are %s is blocked', async (_what, answer) => {
    const { line } = await deliverBy(answer);
    expect(await line.deliver(delivery())).toMatchObject({ status: null, fault: 'blocked_address' });
    await line.close();
  });

  test('asks anew for each connection: a name that was public and is private now is blocked (O-5)', async () => {
    // Nobody has the first address, and nothing leads to it.
    const { line, server } = await deliverBy(['2000::1'], ['127.0.0.1']);
    expect((await line.deliver(delivery())).fault).toMatch(/^(connection|timeout)$/);
    const asked = server.asked.length;
    expect(await line.deliver(delivery())).toMatchObject({ fault: 'blocked_address' });
    expect(server.asked.length).toBeGreaterThan(asked);
    await line.close();
  });

  test('whose name is never answered ends as one that took too long, and one that does not exist as that', async () => {
    const { line: silent } = await deliverBy('silent');
    expect(await silent.deliver(delivery())).toMatchObject({ status: null, fault: 'timeout' });
    const { line: none } = await deliverBy('nxdomain');
    expect(await none.deliver(delivery())).toMatchObject({ status: null, fault: 'unknown_host' });
    await Promise.all([silent.close(), none.close()]);
  });
});
