/** Opens a page once, and says all that is wrong with it. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page, Response } from 'playwright-core';
import { accessibilityFaults, sourceFaults, widthFaults } from './examine.ts';
import { type Look, openAs } from './watched-page.ts';

/** Is not kept in the repository: somebody looks at them. */
const SCREENS = path.resolve(import.meta.dirname, '../../../.screens');

export interface Wanted {
  address: string;
  look: Look;
  /** Of whom; nobody without it. */
  cookie?: string;
  /** Keeps a picture under this name. */
  picture?: string;
  /** Without axe, which takes most of the time. */
  quick?: boolean;
  /** Default 200. */
  status?: number;
}

export async function lookAt(browser: Browser, wanted: Wanted): Promise<string[]> {
  const { address, look, cookie, picture, quick = false, status = 200 } = wanted;
  const { context, page, faults } = await openAs(browser, look, cookie);
  try {
    const answer = await page.goto(address);
    const html = (await answer?.text()) ?? '';
    // What is handed over as data is none of a browser's to read as a page.
    if (answer && isData(answer)) return answer.status() === status ? [] : [`answered ${answer.status()}`];
    if (picture !== undefined) {
      await mkdir(SCREENS, { recursive: true });
      await takePicture(page, path.join(SCREENS, `${picture}-${look.theme}-${look.width}.png`));
    }
    return [
      ...(answer?.status() === status ? [] : [`answered ${answer?.status()}: ${wordsOf(html)}`]),
      ...(await sourceFaults(html)),
      ...(quick ? [] : await accessibilityFaults(page)),
      ...(await widthFaults(page)),
      ...(await faults()),
    ];
  } finally {
    await context.close();
  }
}

/** A machine that is busy now and then takes none; the picture is for people, so a second attempt is all that it is worth. */
async function takePicture(page: Page, file: string): Promise<void> {
  const taken = (): Promise<Buffer> => page.screenshot({ path: file, fullPage: true });
  await taken().catch(taken);
}

/** Whether an answer is data, which no browser takes for markup. */
export function isData(answer: Response): boolean {
  const { 'content-type': type = '', 'x-content-type-options': sniffing } = answer.headers();
  return type.startsWith('application/json') && sniffing === 'nosniff';
}

/** Of a page's path, for the name of its picture. */
export function pictureName(pagePath: string): string {
  return pagePath.replaceAll(/\W+/g, '-').replaceAll(/^-|-$/g, '') || 'overview';
}

function wordsOf(html: string): string {
  const main = html.slice(html.indexOf('<main'));
  return main
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 300);
}
