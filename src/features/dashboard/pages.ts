/** All pages, in the order of the navigation within each group. */
import type { Page } from '../../pages/define-page.ts';
import { keyPage } from './keys/key-page.ts';
import { keysPage } from './keys/keys-page.ts';
import { newKeyPage } from './keys/new-key-page.ts';
import { overviewPage } from './overview/overview-page.ts';

export const PAGES: readonly Page[] = [overviewPage, keysPage, newKeyPage, keyPage];
