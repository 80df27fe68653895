/** Ports for children, which are told one before they listen. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port of 127.0.0.1 that nobody has. It lies below those that the system gives to whoever asks for any, so that nobody
 * is given it until the child takes it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const holder = createServer().listen(port, '127.0.0.1');
    const isFree = await new Promise<boolean>((resolve) => {
      holder.once('listening', () => resolve(true));
      holder.once('error', () => resolve(false));
    });
    if (!isFree) continue;
    await once(holder.close(), 'close');
    return port;
  }
}

/** So many, all of them different. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}
