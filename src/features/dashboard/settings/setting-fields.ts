/** The fields of the settings in words, in the groups that people look for them in. A test compares them with the document. */
import { html } from '../../../pages/html.ts';
import { ATTRIBUTION_MODELS } from '../../attribution/open/decide-attribution.ts';
import { DOWNLINE_VISIBILITIES } from '../../genealogy/open/mask-person.ts';
import { DUAL_CONTROL_BY } from '../../payouts/open/payout-states.ts';
import { ssoCallbackOf } from '../addresses.ts';
import { ANOTHER, choice, type SettingField, type SettingGroup } from './setting-groups.ts';
import { KYC, PAYVENDOR } from './vendor-fields.ts';

const GENERAL: SettingGroup = {
  key: 'general',
  title: 'General',
  lead: 'The same in LIVE and in the SANDBOX.',
  shared: true,
  fields: [
    {
      path: 'defaultCurrency',
      label: 'Currency',
      kind: { as: 'code' },
      hint: 'ISO 4217, as EUR. What was recorded keeps its own.',
    },
    {
      path: 'reportingTimeZone',
      label: 'Time zone',
      kind: { as: 'text' },
      hint: 'IANA, as Europe/Berlin. Days and months begin by it.',
    },
  ],
};

const PAYOUT_RULES: SettingGroup = {
  key: 'payouts',
  title: 'Payout rules',
  lead: 'Who is paid, and how many people it takes. The schedule of runs is set on the page of payouts.',
  fields: [
    {
      path: 'payments.dualControl',
      label: 'Dual control',
      kind: { as: 'switch' },
      hint: 'A second pair of hands approves each run, and confirms what weakens a safeguard.',
      waits: 'Turning it off waits for a second person.',
    },
    {
      path: 'payments.dualControlBy',
      label: 'The second pair of hands is',
      kind: choice(DUAL_CONTROL_BY, {
        keys: { label: 'A key of another root, or a person' },
        persons: { label: 'A person', hint: 'No key will do.' },
      }),
      waits: 'Letting keys do it waits for a second person.',
    },
    {
      path: 'payments.requireKyc',
      label: 'Only verified members are paid',
      kind: { as: 'switch' },
      waits: 'Turning it off waits for a second person.',
    },
    {
      path: 'payments.accountCooldownHours',
      label: 'Hours before a new account is paid to',
      kind: { as: 'number' },
      hint: '0 to 720.',
      waits: 'Fewer hours wait for a second person.',
    },
  ],
};

const MEMBERS: SettingGroup = {
  key: 'members',
  title: 'Members',
  lead: 'What members see of each other.',
  fields: [
    {
      path: 'members.downlineVisibility',
      label: 'Of others they see',
      kind: choice(DOWNLINE_VISIBILITIES, {
        full: { label: 'Everything' },
        masked: { label: 'The first name and an initial', hint: 'And no email address.' },
        counts: { label: 'Numbers alone' },
      }),
      waits: 'Showing more waits for a second person.',
    },
  ],
};

const REFERRALS: SettingGroup = {
  key: 'referrals',
  title: 'Referrals',
  lead: 'Whom a customer is credited to, and where links lead.',
  fields: [
    {
      path: 'referrals.attributionModel',
      label: 'Of several clicks counts',
      kind: choice(ATTRIBUTION_MODELS, { last_click: { label: 'The last' }, first_click: { label: 'The first' } }),
    },
    { path: 'referrals.attributionWindowDays', label: 'Days that a click counts', kind: { as: 'number' }, hint: '1 to 365.' },
    {
      path: 'referrals.allowedDestinationHosts',
      label: 'Where links may lead',
      kind: { as: 'list' },
      hint: 'Host names, one a line; *.shop.example is every host below it. A link to a host that is taken away leads nowhere.',
      waits: 'One more waits for a second person.',
    },
    {
      path: 'referrals.leadExpiryDays',
      label: 'Days until a lead expires',
      kind: { as: 'number' },
      hint: '1 to 1,825. Empty: never.',
      clears: true,
    },
  ],
};

const COMMISSIONS: SettingGroup = {
  key: 'commissions',
  title: 'Commissions',
  lead: 'How commissions by hand and plans are guarded.',
  fields: [
    {
      path: 'commissions.manualLimitMinor',
      label: 'The most by hand at once',
      kind: { as: 'amounts' },
      hint: 'A currency and an amount a line, as EUR 5000. One that is not named has 1,000,000.',
      waits: 'More waits for a second person.',
    },
    {
      path: 'commissions.manualSecondPairMinor',
      label: 'By hand it waits above',
      kind: { as: 'amounts' },
      hint: 'For a second pair of hands. A currency that is not named has no such limit.',
      waits: 'More, and none, wait for a second person.',
    },
    {
      path: 'commissions.planPublishSecondPair',
      label: 'Publishing a plan waits for a second person',
      kind: { as: 'switch' },
      waits: 'Turning it off waits for a second person.',
    },
  ],
};

const MAIL: SettingGroup = {
  key: 'mail',
  title: 'Mail to members',
  lead: 'Where this service sends mail at all. A SANDBOX mails no member.',
  fields: [{ path: 'mail.payouts', label: 'Members are told of a payout that was paid or has failed', kind: { as: 'switch' } }],
};

const WEBHOOKS: SettingGroup = {
  key: 'webhooks',
  title: 'Webhooks',
  lead: 'What is written down of what happens.',
  fields: [
    {
      path: 'webhooks.eventLog',
      label: 'The log has all events',
      kind: { as: 'switch' },
      hint: 'Also those that no endpoint hears. Off, it has what endpoints hear.',
    },
  ],
};

const STAFF_PROVIDER: SettingGroup = {
  key: 'people',
  title: 'How your people sign in',
  lead: 'By a provider of your own, over OpenID Connect. Roles are still given here.',
  ofOwners: true,
  above: ({ ownOrigin, tenant }) =>
    html`<p>At the provider, register this redirect URI: <code class="breaks">${ownOrigin}${ssoCallbackOf(tenant.id)}</code></p>`,
  fields: [
    {
      path: 'staffProvider.isOn',
      label: 'People may sign in by it',
      kind: { as: 'switch' },
      waits: 'Turning it on waits for a second person.',
    },
    {
      path: 'staffProvider.issuerUrl',
      label: 'Issuer',
      kind: { as: 'text' },
      hint: 'As its discovery document says it, to the character.',
      clears: true,
      waits: 'A change waits for a second person.',
    },
    {
      path: 'staffProvider.clientId',
      label: 'Client id',
      kind: { as: 'text' },
      clears: true,
      waits: 'A change waits for a second person.',
    },
    { path: 'staffProvider.clientSecret', label: 'Client secret', kind: { as: 'secret' }, waits: ANOTHER },
    {
      path: 'staffProvider.ssoOnly',
      label: 'No other way in',
      kind: { as: 'switch' },
      hint: 'Passwords and passkeys alone are then refused. The operator can always let an owner in again by a link.',
      waits: 'Turning it off waits for a second person.',
    },
  ],
};

/** In two columns. */
export const SETTING_GROUPS: readonly (readonly SettingGroup[])[] = [
  [PAYOUT_RULES, PAYVENDOR, COMMISSIONS, MAIL, WEBHOOKS],
  [GENERAL, STAFF_PROVIDER, KYC, MEMBERS, REFERRALS],
];

export const SETTING_FIELDS: readonly SettingField[] = SETTING_GROUPS.flat().flatMap(({ fields }) => fields);

/** What the page of the settings calls a field, by its path; of a path that has none the path. */
export const labelOf = (path: string): string => SETTING_FIELDS.find((field) => field.path === path)?.label ?? path;
