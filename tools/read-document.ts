/** The service as it is in the source, opened without a database, and its OpenAPI document. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { type Composition, compose } from '../src/compose.ts';
import { atAddress } from '../src/http/document/openapi.ts';
import { loadServiceConfig } from '../src/service.ts';

/** Nothing is asked of it: a pool connects when it is first used. */
const NOWHERE = 'postgres://nobody@127.0.0.1:1/none';

/** What `read` takes from a service that is open, and closed again. */
export async function openService<Taken>(read: (app: Composition['app'], port: number) => Taken): Promise<Taken> {
  const directory = mkdtempSync(path.join(tmpdir(), 'document-'));
  try {
    const config = loadServiceConfig({ NODE_ENV: 'test', DATA_DIR: directory });
    const composition = await compose(config, { appUrl: NOWHERE, workerUrl: NOWHERE }, pino({ level: 'silent' }));
    const taken = read(composition.app, config.PORT);
    await composition.close();
    return taken;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** As text, at the address that the service has by default. */
export function readDocument(): Promise<string> {
  return openService(({ document }, port) => atAddress(document(), `http://127.0.0.1:${port}`));
}
