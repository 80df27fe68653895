/** All pages, in the order of the navigation within each group. */
import type { Page } from '../../pages/define-page.ts';
import { overviewPage } from './overview/overview-page.ts';
import { salePage } from './sales/sale-page.ts';
import { salesPage } from './sales/sales-page.ts';

export const PAGES: readonly Page[] = [overviewPage, salesPage, salePage];
