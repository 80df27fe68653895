/** The end of a process that must not wait for the engine. */
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';

/** Far longer than the compilation of one function takes. */
const SETTLE_MS = 100;

/**
 * Exits with `process.exitCode`. `process.exit` alone may never return: it joins the engine's threads, and one that
 * compiles a function and is out of memory waits for the main thread to collect garbage, which it does no more. So no
 * further compilation is begun, and those under way are given time while the main thread still does as they ask.
 * Source: https://github.com/nodejs/node/issues/54918
 */
export async function exitProcess(): Promise<never> {
  setFlagsFromString('--no-opt');
  setFlagsFromString('--no-maglev');
  await sleep(SETTLE_MS);
  process.exit();
}
