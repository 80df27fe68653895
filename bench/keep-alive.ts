/** GET requests over connections that stay open for the time of a round. */
import { Agent, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { oneAfterAnother, type Timed } from './answer-times.ts';

export interface KeepAliveClient {
  /** Reads the whole answer without looking at it. Throws unless it is a 200. */
  get(path: string): Promise<void>;
  getJson(path: string): Promise<unknown>;
  /** Ends the open connections: left idle, the service would end them as the next request is sent. */
  close(): void;
}

export function keepAliveClient(url: string, apiKey: string, connections = 1): KeepAliveClient {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const headers = { 'x-tenant-api-key': apiKey };
  const send = (path: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const sent = request(`${url}${path}`, { agent, headers }, resolve);
      sent.once('error', reject);
      sent.end();
    });
  return {
    async get(path) {
      const answer = await send(path);
      if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${JSON.stringify(await json(answer))}`);
      await new Promise((resolve, reject) => answer.once('end', resolve).once('error', reject).resume());
    },
    async getJson(path) {
      const answer = await send(path);
      const body = await json(answer);
      if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${JSON.stringify(body).slice(0, 500)}`);
      return body;
    },
    close: () => agent.destroy(),
  };
}

/** One client that asks for a path, and when it has the answer for the next. */
export function getTimes(client: KeepAliveClient, pathAt: (index: number) => string): Timed {
  const timed = oneAfterAnother((index) => client.get(pathAt(index)));
  return { run: (seconds) => timed.run(seconds).finally(client.close) };
}
