/**
 * A payment vendor in a process of its own, for the bench: transfers and payouts on the real one's wire
 * format, each key once, and a share of the answers lost after the work was done. GET /effects tells what
 * it has done.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

export interface PaymentVendorSettings {
  port: number;
  lostRate: number;
}

process.once('message', (settings: PaymentVendorSettings) => start(settings));

function start({ port, lostRate }: PaymentVendorSettings): void {
  const answers = new Map<string, string>();
  /** Of transfers and of payouts, how many for each of ours. */
  let effects = { transfers: new Map<string, number>(), payouts: new Map<string, number>() };
  let made = 0;

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (req.url === '/effects') {
      const most = (counts: Map<string, number>): number => Math.max(0, ...counts.values());
      const { transfers, payouts } = effects;
      res.end(
        JSON.stringify({ transfers: transfers.size, payouts: payouts.size, most: Math.max(most(transfers), most(payouts)) }),
      );
      effects = { transfers: new Map(), payouts: new Map() };
      answers.clear();
      return;
    }
    const kind = req.url === '/v1/transfers' ? 'transfers' : 'payouts';
    const body = new URLSearchParams(await text(req));
    const key = String(req.headers['idempotency-key']);
    let answer = answers.get(key);
    if (answer === undefined && req.method === 'POST') {
      const ours = body.get('metadata[payout_id]') ?? key;
      effects[kind].set(ours, (effects[kind].get(ours) ?? 0) + 1);
      answer = JSON.stringify({
        id: `${kind === 'transfers' ? 'tr' : 'po'}_${++made}`,
        object: kind.slice(0, -1),
        amount: Number(body.get('amount')),
        currency: body.get('currency'),
        status: 'pending',
        failure_code: null,
      });
      answers.set(key, answer);
    }
    if (req.method === 'POST' && Math.random() < lostRate) {
      req.socket.destroy();
      return;
    }
    const id = /\/([^/]+)$/.exec(req.url ?? '')?.[1];
    const found = answer ?? JSON.stringify({ id, object: 'payout', status: 'pending', failure_code: null });
    res.writeHead(200, { 'content-type': 'application/json', 'request-id': 'req_bench' }).end(found);
  }

  const server = createServer((req, res) => void serve(req, res));
  server.keepAliveTimeout = 60_000;
  server.listen(port, '127.0.0.1', () => process.send?.('ready'));
}
