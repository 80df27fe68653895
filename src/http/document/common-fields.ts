/**
 * What fields and parameters mean that stand in many places under one name. A description where the field stands comes
 * first; this is for those that need none of their own.
 */
import type { JsonObject } from './objects.ts';
import type { Draft } from './shared.ts';

const MEANINGS: Readonly<Record<string, string>> = {
  data: 'The rows',
  userId: 'The member',
  user_id: 'The member',
  targetUserId: 'The other member',
  email: 'Address',
  name: 'Name',
  external_id: "Id in the tenant's own system",
  membershipTier: 'Tier of the member',
  isActive: 'Whether the member is active',
  sponsorId: 'The sponsor; null: a root',
  code_id: 'The code',
  link_id: 'The link',
  receipt_id: 'The receipt',
  commissionId: 'The commission line',
  commissions: 'Commission lines',
  event_id: 'The event',
  external_event_id: "The event's id in the tenant's system",
  lead_id: 'The lead',
  planId: 'The plan',
  plan_id: 'The plan',
  versionId: 'The version',
  version_id: 'The version',
  version: 'Number of the version',
  importId: 'The import',
  exportId: 'The export',
  viewId: 'The view',
  id: 'Id',
  deleted: 'True: it is gone',
  kind: 'What kind it is',
  type: 'Type of the sale',
  status: 'Where it stands',
  rule: 'Name of the rule',
  path: 'Where in the definition',
  message: 'In words',
  reason: 'Why',
  cause: 'Why it is held',
  numerator: 'Above the line',
  denominator: 'Below the line',
  sku: 'Article number',
  category: 'Category of goods',
  line_items: 'What was bought',
  lineItems: 'What was bought',
  customer: 'Who bought',
  attribution: 'Who is credited, and why',
  metadata: "The tenant's own data, as JSON",
  upline: 'Members above, nearest first',
  rates: 'Exchange rates that were read',
  postings: 'Postings of the journal',
  journal: 'What was posted; null: nothing',
  account: 'Ledger account',
  seq: 'Its number among the others: of a posting in its journal, of a block in the ledger',
  shares: 'What each member got, level by level',
  outcomes: 'Everybody who was considered',
  walk_end: 'Why the walk up the tree ended',
  month: 'YYYY-MM',
  months: 'Month by month',
  year: 'The year',
  q: 'What to look for',
  page: 'The page of the dashboard',
  query: 'Its filters',
  faults: 'What is wrong; empty where nothing is',
  accounts: 'Account by account',
  totals: 'Sums by currency',
  balances: 'Currency by currency',
  children: 'Members right below',
  linked: 'Lines that belong to it',
  actions: 'What was done to it, oldest first',
  lines: 'Line by line',
  results: 'Event by event, in the order sent',
  createdAt: 'When it was made',
  updatedAt: 'When it last changed',
  occurredAt: 'When it took place',
  recordedAt: 'When it was recorded',
  externalId: "Id in the tenant's own system",
  externalEventId: "The event's id in the tenant's system",
  parentId: 'The sponsor; null: a root',
  canRecruit: 'Whether recruits are allowed',
  isTestUser: 'Whether it is a test member, never paid',
  erasedAt: 'When it was erased; null: it was not',
  erasureReason: 'Why it was erased',
  code: 'The code',
  slug: 'Last part of the link',
  destinationUrl: 'Where the link leads',
  expiresAt: 'When it ends; null: never',
  eventId: 'The event',
  journalId: 'The journal',
  causeType: 'What it was posted for',
  causeId: 'Id of what it was posted for',
  action: 'What was done',
  actor: 'Who did it',
  operationId: 'By which operation',
  details: 'What changed',
  entryId: 'The entry',
  ip: 'Address that it came from',
  phone: 'Phone number',
  source: 'Where it came from',
  utmSource: 'UTM source',
  utmMedium: 'UTM medium',
  utmCampaign: 'UTM campaign',
  clickId: 'The click that led here',
  conversionStatus: 'Where the lead stands',
  replacedAt: 'When another took its place',
  level: 'Level: 1 is the credited member',
  amountMinor: 'Minor units',
  kinds: 'Kind by kind',
  truncated: 'Whether there is more than shown',
  lead: 'The lead',
  user: 'The member that it became',
  member: 'The member',
  members: 'Of members',
  referrals: 'Of referrals',
  joined: 'Members who joined',
  byLevel: 'Level by level',
  trend: 'Month by month',
  meta: 'How the tree was read',
  commission: 'The line',
  plan: 'The plan',
  compression: 'What happens to a place that is not paid',
  qualification: 'Who is paid at all',
  recurring: 'How renewals are paid',
  holding: 'How long lines wait before they clear',
  caps: 'Most that is paid',
  rounding: 'How amounts are rounded',
  fx: 'Currency that members are paid in',
  reversal: 'How refunds take back',
  scope: 'Sales that the plan is for',
  member_rooms: 'What caps left to each member',
  kyc_approved: 'Whether verified; null: not asked',
  active_directs: 'Active recruits; null: not asked',
  is_default: "Whether it is the member's own code",
  formerEmails: 'Addresses before this one',
  referralCodes: 'Codes of the member',
  ledgerEntries: "Entries of the member's accounts",
  planPublishSecondPair: 'Whether publishing a plan takes a second pair of hands',
};

/** Puts the common meaning where nothing is said. */
export function describeCommonFields({ paths, components, webhooks }: Draft): void {
  visit({ paths, components, webhooks }, components);
}

function visit(part: unknown, components: Draft['components']): void {
  if (typeof part !== 'object' || part === null) return;
  for (const [key, inner] of Object.entries(part as JsonObject)) {
    if (key === 'example' || key === 'examples') continue;
    if (key === 'properties') {
      for (const [name, schema] of Object.entries(inner as Record<string, JsonObject>)) {
        describe(name, schema, components);
        visit(schema, components);
      }
      continue;
    }
    if (key === 'parameters') {
      for (const one of Object.values(inner as Record<string, JsonObject>)) {
        if (!isDescribed(one['schema'] as JsonObject | undefined, components)) describe(String(one['name']), one, components);
      }
    }
    visit(inner, components);
  }
}

function describe(name: string, part: JsonObject, components: Draft['components']): void {
  const meaning = MEANINGS[name];
  if (meaning !== undefined && !isDescribed(part, components)) part['description'] = meaning;
}

function isDescribed(part: JsonObject | undefined, components: Draft['components']): boolean {
  if (!part) return false;
  if (typeof part['description'] === 'string') return true;
  const name = /^#\/components\/(?:schemas|parameters)\/(.+)$/.exec(String(part['$ref']))?.[1] ?? '';
  return (
    typeof components.schemas[name]?.['description'] === 'string' ||
    typeof components.parameters[name]?.['description'] === 'string'
  );
}
