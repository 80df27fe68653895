/** Swift with its S3 API and ClamAV's daemon for the run, each in a folder and on ports of its own. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { TestProject } from 'vitest/node';
import { freePorts } from '../support/app/free-port.ts';

export interface TestServers {
  s3: { url: string; bucket: string; accessKeyId: string; secretAccessKey: string };
  clamdPort: number;
}

declare module 'vitest' {
  export interface ProvidedContext {
    servers: TestServers;
  }
}

const NEEDED = [
  'swift-proxy-server',
  'swift-account-server',
  'swift-container-server',
  'swift-object-server',
  'clamd',
  'curl',
  'redis-server',
  'redis-cli',
  'caddy',
];

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const missing = NEEDED.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0);
  if (missing.length > 0) {
    throw new Error(
      `test:servers needs ${missing.join(', ')}: run test/setup/install-servers.sh (Debian or Ubuntu, as root or by sudo)`,
    );
  }
  const directory = await mkdtemp(path.join(tmpdir(), 'svc-servers-'));
  const swift = path.join(directory, 'swift');
  const clamd = path.join(directory, 'clamd');
  const stop = async (): Promise<void> => {
    for (const folder of [swift, clamd]) run('servers-down.sh', folder);
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  const [proxy = 0, account, container, object, clamdPort = 0] = await freePorts(5);
  try {
    run('swift-up.sh', swift, proxy, account, container, object);
    run('clamd-up.sh', clamd, clamdPort);
    const s3 = { url: `http://127.0.0.1:${proxy}`, bucket: 'papers', accessKeyId: 'test:tester', secretAccessKey: 'testing' };
    const client = new S3Client({
      endpoint: s3.url,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: s3,
      maxAttempts: 10,
    });
    await client.send(new CreateBucketCommand({ Bucket: s3.bucket }));
    client.destroy();
    project.provide('servers', { s3, clamdPort });
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

function run(script: string, ...args: unknown[]): void {
  const file = path.join(import.meta.dirname, script);
  const { status } = spawnSync('bash', [file, ...args.map(String)], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0 && script !== 'servers-down.sh') throw new Error(`${script} failed`);
}
