/**
 * The features of the service, in the order of their dependencies: the only list of them. A feature is named here
 * once, with the features that it needs; everything else is derived from its description.
 */
import { attributionFeature } from './features/attribution/attribution-feature.ts';
import { auditFeature } from './features/audit/audit-feature.ts';
import { authFeature } from './features/auth/auth-feature.ts';
import { commissionsFeature } from './features/commissions/commissions-feature.ts';
import { dashboardFeature } from './features/dashboard/dashboard-feature.ts';
import { dataKeysFeature } from './features/data-keys/data-keys-feature.ts';
import { eventsFeature } from './features/events/events-feature.ts';
import { exchangeRatesFeature } from './features/exchange-rates/exchange-rates-feature.ts';
import { exportsFeature } from './features/exports/exports-feature.ts';
import { genealogyFeature } from './features/genealogy/genealogy-feature.ts';
import { importsFeature } from './features/imports/imports-feature.ts';
import { kycFeature } from './features/kyc/kyc-feature.ts';
import { leadsFeature } from './features/leads/leads-feature.ts';
import { ledgerFeature } from './features/ledger/ledger-feature.ts';
import { mailFeature } from './features/mail/mail-feature.ts';
import { membersFeature } from './features/members/members-feature.ts';
import { overviewFeature } from './features/overview/overview-feature.ts';
import { payoutsFeature } from './features/payouts/payouts-feature.ts';
import { pendingChangesFeature } from './features/pending-changes/pending-changes-feature.ts';
import { profileFeature } from './features/profile/profile-feature.ts';
import { referralsFeature } from './features/referrals/referrals-feature.ts';
import { sandboxFeature } from './features/sandbox/sandbox-feature.ts';
import { savedViewsFeature } from './features/saved-views/saved-views-feature.ts';
import { staffFeature } from './features/staff/staff-feature.ts';
import { statementsFeature } from './features/statements/statements-feature.ts';
import { tenantsFeature } from './features/tenants/tenants-feature.ts';
import { twoHandsFeature } from './features/two-hands/two-hands-feature.ts';
import { usersFeature } from './features/users/users-feature.ts';
import { widgetFeature } from './features/widget/widget-feature.ts';
import { createHouse } from './house/house.ts';
import { platformFeature } from './house/platform-feature.ts';

export const house = createHouse();

house.add(platformFeature);
export const audit = house.add(auditFeature);
export const twoHands = house.add(twoHandsFeature);
export const pendingChanges = house.add(pendingChangesFeature, { twoHands });
export const mail = house.add(mailFeature);
export const referrals = house.add(referralsFeature);
export const users = house.add(usersFeature, { referrals, mail });
export const attribution = house.add(attributionFeature, { referrals });
export const commissions = house.add(commissionsFeature, { pendingChanges });
export const exchangeRates = house.add(exchangeRatesFeature, { pendingChanges });
export const events = house.add(eventsFeature, { attribution, commissions, exchangeRates, pendingChanges });
export const leads = house.add(leadsFeature, { users, attribution });
house.add(importsFeature, { users, leads, events });
house.add(ledgerFeature, { audit });
export const genealogy = house.add(genealogyFeature);
house.add(membersFeature, { genealogy });
house.add(overviewFeature);
house.add(savedViewsFeature);
export const profile = house.add(profileFeature, { users });
export const kyc = house.add(kycFeature, { profile });
export const payouts = house.add(payoutsFeature, { commissions, events, mail, profile, twoHands });
house.add(statementsFeature);
house.add(exportsFeature);
export const auth = house.add(authFeature, { users, pendingChanges });
export const staff = house.add(staffFeature, { twoHands, pendingChanges, mail, auth });
house.add(dataKeysFeature);
house.add(sandboxFeature, { commissions, kyc, payouts });
export const tenants = house.add(tenantsFeature, { commissions, pendingChanges });
house.add(widgetFeature);
house.add(dashboardFeature, { staff, mail });
