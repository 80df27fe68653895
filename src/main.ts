/** The service's process: listening, with the background jobs inside unless a worker does them. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Demo, ensureDemo } from '../seeds/demo.ts';
import { openExampleShop } from './example-host/open-example-shop.ts';
import { staff } from './features.ts';
import { closeHttpServer, createHttpServer } from './http/server.ts';
import { type Opened, refuseBootFaults, runProcess, startJobs } from './run-process.ts';

async function start(opened: Opened): Promise<void> {
  const { config, logger, local, urls, demoIdentity, composition, drained, onEnd } = opened;
  await refuseBootFaults(composition.frames, urls.appUrl, opened);
  await composition.queue.open();
  const demo = local ? await ensureDemo(composition, config.DATA_DIR) : undefined;
  if (config.JOBS === 'inline') await startJobs(opened);
  composition.start();

  const server = createHttpServer(composition.app.express, config.DEFAULT_ENVIRONMENT, composition.metrics?.noteBroken);
  server.listen(config.PORT, config.host);
  await once(server, 'listening');
  onEnd(async () => {
    void composition.background.stop(config.SHUTDOWN_TIMEOUT_MS); // awaited behind this; no job is begun from here on
    composition.health.drain();
    await sleep(config.SHUTDOWN_DELAY_MS);
    const finished = await closeHttpServer(server, config.SHUTDOWN_TIMEOUT_MS);
    drained.requests = finished ? 'finished' : 'cut off';
    return finished;
  }, 'running requests');
  const { port } = server.address() as AddressInfo;
  composition.ownAddress.listensOn(port);
  logger.info({ port, host: config.host, embedded: config.embedded }, 'listening');
  if (demo) {
    const welcome = await composition.offer(staff).operator.welcomeUnlessOwned(demo.tenantId);
    const example = await openExampleShop({ config, port, serviceUrl: composition.ownAddress.url(), apiKey: demo.sandboxKey });
    if (example.close) onEnd(example.close, 'the example shop');
    const signIn = (await demoIdentity?.register(composition, demo, `http://localhost:${port}`)) ?? '';
    process.stdout.write(firstScreen(port, demo, { welcome, example: example.line, signIn }));
  }
}

interface Shown {
  /** By which an owner joins, while there is none. */
  welcome: string | undefined;
  /** Where the example shop is, or why there is none. */
  example: string;
  /** How a member signs in at the provider of `--demo-idp`; else empty. */
  signIn: string;
}

function firstScreen(port: number, demo: Demo, { welcome, example, signIn }: Shown): string {
  const base = `http://localhost:${port}`;
  return `
  Member Commission and Referral Service

  ${welcome === undefined ? 'Dashboard' : 'Dashboard, by this link once, within a day:'}
  ${welcome ?? `${base}/dashboard`}

  Address    ${base}/api/v1
  Docs       ${base}/docs
  Widget     ${example}

  Demo tenant ${demo.tenantId}
  SANDBOX key ${demo.sandboxKey}
  LIVE key    ${demo.liveKey}

  Try it:
  curl -s -H 'x-tenant-api-key: ${demo.sandboxKey}' ${base}/api/v1/users

${signIn}  Stop with Ctrl-C; the data stays.

`;
}

await runProcess('api', start);
