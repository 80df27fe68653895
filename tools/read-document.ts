/** The OpenAPI document of the service as it is in the source, without a database. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { compose } from '../src/compose.ts';
import { atAddress } from '../src/http/document/openapi.ts';
import { loadServiceConfig } from '../src/service.ts';

/** Nothing is asked of it: a pool connects when it is first used. */
const NOWHERE = 'postgres://nobody@127.0.0.1:1/none';

/** As text, at the address that the service has by default. */
export async function readDocument(): Promise<string> {
  const directory = mkdtempSync(path.join(tmpdir(), 'document-'));
  try {
    const config = loadServiceConfig({ NODE_ENV: 'test', DATA_DIR: directory });
    const composition = await compose(config, { appUrl: NOWHERE, workerUrl: NOWHERE }, pino({ level: 'silent' }));
    const text = atAddress(composition.app.document, `http://127.0.0.1:${config.PORT}`);
    await composition.close();
    return text;
  } finally {
    rmSync(directory, { recursive: true });
  }
}
