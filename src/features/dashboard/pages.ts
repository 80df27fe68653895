/** All pages, in the order of the navigation within each group. Express takes the first that fits: `/keys/new` stands before `/keys/:keyId`. */
import type { Page } from '../../pages/define-page.ts';
import { accountPage } from './account/account-page.ts';
import { auditPage } from './audit/audit-page.ts';
import { exportsPage } from './exports/exports-page.ts';
import { importPage } from './imports/import-page.ts';
import { importsPage } from './imports/imports-page.ts';
import { keyPage } from './keys/key-page.ts';
import { keysPage } from './keys/keys-page.ts';
import { newKeyPage } from './keys/new-key-page.ts';
import { ledgerPage } from './ledger/ledger-page.ts';
import { postingsPage } from './ledger/postings-page.ts';
import { memberExportPage } from './members/member-export-page.ts';
import { memberLedgerPage } from './members/member-ledger-page.ts';
import { memberMovePage } from './members/member-move-page.ts';
import { memberPage } from './members/member-page.ts';
import { membersPage } from './members/members-page.ts';
import { overviewPage } from './overview/overview-page.ts';
import { peoplePage } from './people/people-page.ts';
import { personPage } from './people/person-page.ts';
import { newProviderPage } from './providers/new-provider-page.ts';
import { providerPage } from './providers/provider-page.ts';
import { providersPage } from './providers/providers-page.ts';
import { salePage } from './sales/sale-page.ts';
import { salesPage } from './sales/sales-page.ts';
import { sandboxPage } from './sandbox/sandbox-page.ts';
import { pendingChangesPage } from './settings/pending-changes-page.ts';
import { settingsPage } from './settings/settings-page.ts';

export const PAGES: readonly Page[] = [
  overviewPage,
  membersPage,
  memberPage,
  memberMovePage,
  memberLedgerPage,
  memberExportPage,
  salesPage,
  salePage,
  ledgerPage,
  postingsPage,
  keysPage,
  newKeyPage,
  keyPage,
  providersPage,
  newProviderPage,
  providerPage,
  sandboxPage,
  peoplePage,
  personPage,
  settingsPage,
  pendingChangesPage,
  auditPage,
  importsPage,
  importPage,
  exportsPage,
  accountPage,
];
