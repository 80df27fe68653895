/**
 * A TCP proxy between the service and a server, which can misbehave as networks do: connections that go mute without
 * being closed, as behind a firewall that has dropped their state, and connections that are cut.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** The connections that are open now. */
  connections(): number;
  /**
   * Forwards nothing more on the connections that are open, and closes none of them; the kernel still acknowledges what
   * is sent. New ones work, unless `also` is `new`: those are accepted and stay mute too.
   */
  mute(also?: 'new'): void;
  /** New connections work from now on. Those that were muted stay mute: the state that they had is gone. */
  heal(): void;
  /** Resets the connections that are open. */
  cut(): void;
  /** From now on new connections lead to this port. */
  leadTo(port: number): void;
  close(): Promise<void>;
}

interface Pair {
  ends: [Socket, Socket];
  mute(): void;
}

/** Listens on 127.0.0.1, forwards to `port` there. */
export async function startTcpProxy(port: number): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let target = port;
  let mutesNew = false;

  const server = createServer({ allowHalfOpen: false }, (inner) => {
    const outer = connect(target, '127.0.0.1');
    const pair: Pair = {
      ends: [inner, outer],
      mute() {
        for (const end of [inner, outer]) {
          end.removeAllListeners('data').removeAllListeners('close');
          end.on('close', () => pairs.delete(pair));
          end.on('data', () => undefined); // read and dropped
        }
      },
    };
    pairs.add(pair);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      from.setNoDelay(true);
      from.on('error', () => undefined);
      from.on('data', (chunk) => to.write(chunk));
      from.on('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
    }
    if (mutesNew) pair.mute();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    connections: () => pairs.size,
    mute(also) {
      mutesNew = also === 'new';
      for (const pair of pairs) pair.mute();
    },
    heal() {
      mutesNew = false;
    },
    cut() {
      for (const { ends } of pairs) for (const end of ends) end.resetAndDestroy();
      pairs.clear();
    },
    leadTo(next) {
      target = next;
    },
    async close() {
      for (const { ends } of pairs) for (const end of ends) end.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
