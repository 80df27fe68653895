/** Whether there is an example shop, and where. Source: docs/specification/widget.md#example. */
import type { Config } from '../config.ts';
import { openExampleHost } from './example-host.ts';

interface Asked {
  config: Pick<Config, 'EXAMPLE_PORT' | 'host'>;
  /** That the service listens on. */
  port: number;
  /** Where browsers reach it. */
  serviceUrl: string;
  apiKey: string;
}

interface ExampleShop {
  /** For the first screen. */
  line: string;
  close?: () => Promise<void>;
}

/** All addresses of a machine stand for its own. */
const OWN: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]', '::1': '[::1]' };
const LAST_PORT = 65_535;

/** Opens the shop beside the service. It is no reason for the service not to start: the line says why there is none. */
export async function openExampleShop({ config, port, serviceUrl, apiKey }: Asked): Promise<ExampleShop> {
  const examplePort = config.EXAMPLE_PORT ?? port + 1;
  if (examplePort === 0) return { line: 'no example shop: EXAMPLE_PORT is 0' };
  const absent = (why: string): ExampleShop => ({
    line: `no example shop: port ${examplePort} ${why}; EXAMPLE_PORT names another`,
  });
  if (examplePort > LAST_PORT) return absent('does not exist');
  const apiUrl = `http://${OWN[config.host] ?? config.host}:${port}`;
  const opened = await openExampleHost({ port: examplePort, host: config.host, serviceUrl, apiUrl, apiKey });
  if (opened === 'taken') return absent('is taken');
  if (opened === 'refused') return absent('cannot be listened on');
  return { line: `http://localhost:${opened.port}  an example shop that shows it to its members`, close: opened.close };
}
