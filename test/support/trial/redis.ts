/** A real redis-server of a trial's own, that can be killed, frozen and started again on its port. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from './ports.ts';

export interface TrialRedis {
  url: string;
  start(): Promise<void>;
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

/** `note` is told of each process, so that none outlives the trial. */
export async function startTrialRedis(directory: string, note: (child: ChildProcess) => void): Promise<TrialRedis> {
  const port = await findFreePort();
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', directory];
    child = spawn('redis-server', args, { stdio: 'ignore' });
    note(child);
    child.once('error', () => undefined); // told by what follows
    for (const until = Date.now() + 10_000; !(await answers(port)); await sleep(30)) {
      if (Date.now() > until || child.exitCode !== null)
        throw new Error('redis-server does not start: test/setup/install-servers.sh installs it');
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill(signal);
    await ended;
  }

  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill: () => end('SIGKILL'),
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    stop: () => end('SIGTERM'),
  };
}

/** Whether it answers a PING. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.setTimeout(500, () => done(false));
    socket.on('error', () => done(false));
    socket.on('data', (data) => done(data.toString().startsWith('+PONG')));
    function done(good: boolean): void {
      socket.destroy();
      resolve(good);
    }
  });
}
