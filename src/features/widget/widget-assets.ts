/** What browsers load of the widget: the module of host pages, and the modules and styles of the frame. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type Asset,
  type Assets,
  type AssetTexts,
  assetsOf,
  compressed,
  JAVASCRIPT,
  readModule,
  STYLES,
} from '../../pages/asset-files.ts';
import { FIRST_MODULES, joinModules } from './join-modules.ts';

export const WIDGET_ASSETS_PATH = '/widget/assets';

const FOLDER = path.join(import.meta.dirname, 'browser');
/** Its address has no version: it stands in the tenants' own pages. */
const EMBED = 'embed.ts';

export interface WidgetAssets {
  /** Of the frame, as `frame.js`. */
  frame: Assets;
  /** The module that host pages load. */
  embed: Asset;
}

let read: WidgetAssets | undefined;

/** Takes some tenths of a second the first time. */
export function widgetAssets(): WidgetAssets {
  read ??= {
    frame: assetsOf(WIDGET_ASSETS_PATH, readFrame()),
    embed: compressed(JAVASCRIPT, withoutRemarks(readModule(path.join(FOLDER, EMBED)))),
  };
  return read;
}

function readFrame(): AssetTexts {
  const files = readdirSync(FOLDER).toSorted();
  const texts: Record<string, { type: string; text: string }> = {};
  const modules: Record<string, string> = {};
  for (const file of files) {
    const at = path.join(FOLDER, file);
    if (file.endsWith('.css')) texts[file] = { type: STYLES, text: withoutRemarks(readFileSync(at, 'utf8')) };
    if (file.endsWith('.ts') && file !== EMBED) modules[file.replace(/\.ts$/, '.js')] = withoutRemarks(readModule(at));
  }
  for (const [name, text] of Object.entries(joinModules(modules, FIRST_MODULES))) {
    // Types alone leave nothing.
    if (text !== '') texts[name] = { type: JAVASCRIPT, text };
  }
  return texts;
}

/** Without comments that have their lines to themselves, and without indents: no text of these files goes over several lines. */
function withoutRemarks(text: string): string {
  return text
    .replaceAll(/^\s*\/\*[\s\S]*?\*\/\s*$/gm, '')
    .split('\n')
    .map((line) => line.trimStart())
    .filter((line) => line !== '' && !line.startsWith('//'))
    .join('\n');
}
