/** All pages, in the order of the navigation within each group. */
import type { Page } from '../../pages/define-page.ts';
import { memberExportPage } from './members/member-export-page.ts';
import { memberLedgerPage } from './members/member-ledger-page.ts';
import { memberMovePage } from './members/member-move-page.ts';
import { memberPage } from './members/member-page.ts';
import { membersPage } from './members/members-page.ts';
import { overviewPage } from './overview/overview-page.ts';
import { salePage } from './sales/sale-page.ts';
import { salesPage } from './sales/sales-page.ts';

export const PAGES: readonly Page[] = [memberExportPage, memberLedgerPage, memberMovePage, memberPage, membersPage, overviewPage, salePage, salesPage];
