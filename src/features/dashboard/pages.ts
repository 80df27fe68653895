/** All pages, in the order of the navigation within each group. Express takes the first that fits: `/keys/new` stands before `/keys/:keyId`. */
import type { Page } from '../../pages/define-page.ts';
import { accountPage } from './account/account-page.ts';
import { attributionPage } from './attributions/attribution-page.ts';
import { auditPage } from './audit/audit-page.ts';
import { commissionPage } from './commissions/commission-page.ts';
import { commissionsPage } from './commissions/commissions-page.ts';
import { exportsPage } from './exports/exports-page.ts';
import { importPage } from './imports/import-page.ts';
import { importsPage } from './imports/imports-page.ts';
import { keyPage } from './keys/key-page.ts';
import { keysPage } from './keys/keys-page.ts';
import { newKeyPage } from './keys/new-key-page.ts';
import { leadPage } from './leads/lead-page.ts';
import { leadsPage } from './leads/leads-page.ts';
import { ledgerPage } from './ledger/ledger-page.ts';
import { linkPage } from './links/link-page.ts';
import { linksPage } from './links/links-page.ts';
import { newLinkPage } from './links/new-link-page.ts';
import { memberExportPage } from './members/member-export-page.ts';
import { memberLedgerPage } from './members/member-ledger-page.ts';
import { memberMovePage } from './members/member-move-page.ts';
import { memberPage } from './members/member-page.ts';
import { membersPage } from './members/members-page.ts';
import { overviewPage } from './overview/overview-page.ts';
import { accountsPage } from './payouts/accounts-page.ts';
import { approvePage } from './payouts/approve-page.ts';
import { holdsPage } from './payouts/holds-page.ts';
import { newRunPage } from './payouts/new-run-page.ts';
import { payoutPage } from './payouts/payout-page.ts';
import { payoutsPage } from './payouts/payouts-page.ts';
import { runPage } from './payouts/run-page.ts';
import { runsPage } from './payouts/runs-page.ts';
import { taxPage } from './payouts/tax-page.ts';
import { watchPage } from './payouts/watch-page.ts';
import { peoplePage } from './people/people-page.ts';
import { personPage } from './people/person-page.ts';
import { editPlanPage } from './plans/edit-plan-page.ts';
import { newPlanPage } from './plans/new-plan-page.ts';
import { planPage } from './plans/plan-page.ts';
import { plansPage } from './plans/plans-page.ts';
import { publishPlanPage } from './plans/publish-plan-page.ts';
import { newProviderPage } from './providers/new-provider-page.ts';
import { providerPage } from './providers/provider-page.ts';
import { providersPage } from './providers/providers-page.ts';
import { disputePage } from './sales/dispute-page.ts';
import { refundPage } from './sales/refund-page.ts';
import { salePage } from './sales/sale-page.ts';
import { salesPage } from './sales/sales-page.ts';
import { sandboxPage } from './sandbox/sandbox-page.ts';
import { withSavedViews } from './saved-views/with-saved-views.ts';
import { searchPage } from './search/search-page.ts';
import { pendingChangesPage } from './settings/pending-changes-page.ts';
import { settingsPage } from './settings/settings-page.ts';
import { relationshipPage } from './team/relationship-page.ts';
import { teamOfPage } from './team/team-of-page.ts';
import { teamPage } from './team/team-page.ts';
import { reviewPage } from './verification/review-page.ts';
import { verificationPage } from './verification/verification-page.ts';
import { deliveriesPage } from './webhooks/deliveries-page.ts';
import { deliveryPage } from './webhooks/delivery-page.ts';
import { endpointPage } from './webhooks/endpoint-page.ts';
import { endpointsPage } from './webhooks/endpoints-page.ts';
import { eventPage } from './webhooks/event-page.ts';
import { logPage } from './webhooks/log-page.ts';
import { newEndpointPage } from './webhooks/new-endpoint-page.ts';
import { signaturePage } from './webhooks/signature-page.ts';
import { typesPage } from './webhooks/types-page.ts';

const ALL: readonly Page[] = [
  overviewPage,
  searchPage,
  membersPage,
  memberPage,
  memberMovePage,
  memberLedgerPage,
  memberExportPage,
  teamPage,
  relationshipPage,
  teamOfPage,
  verificationPage,
  reviewPage,
  leadsPage,
  leadPage,
  attributionPage,
  linksPage,
  newLinkPage,
  linkPage,
  salesPage,
  salePage,
  refundPage,
  disputePage,
  commissionsPage,
  commissionPage,
  runsPage,
  newRunPage,
  runPage,
  approvePage,
  watchPage,
  payoutsPage,
  accountsPage,
  holdsPage,
  taxPage,
  payoutPage,
  plansPage,
  newPlanPage,
  planPage,
  editPlanPage,
  publishPlanPage,
  ledgerPage,
  keysPage,
  newKeyPage,
  keyPage,
  providersPage,
  newProviderPage,
  providerPage,
  endpointsPage,
  newEndpointPage,
  endpointPage,
  deliveriesPage,
  deliveryPage,
  logPage,
  eventPage,
  typesPage,
  signaturePage,
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

export const PAGES: readonly Page[] = ALL.map(withSavedViews);
