/** By which provider a tenant's people sign in, as its settings show and change it. Source: docs/specification/people.md#sso. */
import { z } from 'zod';
import type { Scope } from '../../../db/scope.ts';
import type { Cipher } from '../../../encryption.ts';
import { AppError, type FieldFault, invalidFields } from '../../../errors.ts';
import { declareSettings, guardsOnceSet, guardsWhenOn, type SettingChange, type SettingsPart } from '../../../house/settings.ts';
import { text } from '../../../http/schemas.ts';
import { requireFreshFactor } from '../../../http/step-up.ts';
import type { Sessions } from '../sessions.ts';
import { PROVIDER_DEFAULTS, type ProviderRow, readProvider, storeProvider } from './sso-queries.ts';
import { clientSecretPlace } from './sso-sealed.ts';

const NAME = 'staffProvider';

const shown = z
  .object({
    isOn: z.boolean().meta({ description: 'Whether people may sign in by it' }),
    issuerUrl: z.string().nullable().meta({ description: 'The `iss` of its tokens; null: not set' }),
    clientId: z.string().nullable().meta({ description: 'Of this service at the provider; null: not set' }),
    clientSecret: z
      .object({ set: z.boolean().meta({ description: 'Whether one is stored' }) })
      .meta({ description: 'Never shown' }),
    ssoOnly: z.boolean().meta({ description: 'Whether passwords are switched off' }),
  })
  .meta({ id: 'StaffProviderSettings', description: 'Of the tenant: changed in LIVE alone, by an owner alone; off in SANDBOX' });

const printable = (most: number) => text(most).regex(/^[!-~]+$/, 'must be of printable ASCII characters without spaces');

const patch = z
  .strictObject({
    isOn: z.boolean().optional().meta({ description: 'Whether people may sign in by it; default `false`' }),
    issuerUrl: text(1000)
      .nullable()
      .optional()
      .meta({ description: 'As the discovery document of the provider says it, to the character' }),
    clientId: printable(500).nullable().optional().meta({ description: 'Of this service at the provider; `null` clears it' }),
    clientSecret: printable(1000).nullable().optional().meta({ description: 'Write-only; `null` clears it' }),
    ssoOnly: z.boolean().optional().meta({
      description: 'On, nobody signs in by a password or a passkey alone; the link of `cli staff invite` remains the way back',
    }),
  })
  .meta({
    description: 'The identity provider of the people; an owner changes it, in LIVE',
    example: { isOn: true, issuerUrl: 'https://login.example.com', clientId: 'commissions' },
  });

export const ssoSettingsDeclaration = declareSettings({
  name: NAME,
  shown,
  patch,
  hands: {
    // Another way in.
    isOn: (_before, after) => (after ? 'weakens' : 'tightens'),
    // Whoever answers there says who is who.
    issuerUrl: 'weakens',
    clientId: 'weakens',
    clientSecret: guardsOnceSet,
    ssoOnly: guardsWhenOn,
  },
});

type Answer = z.input<typeof shown>;
type Patch = z.output<typeof patch>;
type Row = Omit<ProviderRow, 'updatedAt'>;

const FIELDS = ['isOn', 'issuerUrl', 'clientId', 'ssoOnly'] as const;

interface Deps {
  cipher: Cipher;
  /** What is wrong with an address, or undefined. */
  checkAddress(address: string): string | undefined;
  sessions: Pick<Sessions, 'endAll'>;
}

export function createSsoSettingsPart({ cipher, checkAddress, sessions }: Deps): SettingsPart<Answer, Patch> {
  const shownOf = (row: Row): Answer => ({
    isOn: row.isOn,
    issuerUrl: row.issuerUrl,
    clientId: row.clientId,
    clientSecret: { set: row.clientSecretSealed !== null },
    ssoOnly: row.ssoOnly,
  });

  const opened = (scope: Scope, sealed: Buffer | null): string | null =>
    sealed && cipher.decrypt(sealed, clientSecretPlace(scope)).toString();

  return {
    async read(db, scope) {
      return shownOf((await readProvider(db, scope)) ?? PROVIDER_DEFAULTS);
    },

    refuse(caller, { issuerUrl }) {
      if (caller.environment !== 'LIVE') throw new AppError('ENVIRONMENT_MISMATCH', 'People are of LIVE; a SANDBOX has none');
      // `*` does not stand for it: whoever decides who answers for people decides who they are.
      if (!caller.rights.includes('admin:staff')) {
        throw new AppError('FORBIDDEN', 'How people sign in is for an owner to change, and for no key');
      }
      requireFreshFactor(caller, 'A change of how people sign in');
      const faults: FieldFault[] = [];
      const fault = issuerUrl == null ? undefined : checkAddress(issuerUrl);
      if (fault !== undefined) faults.push({ field: `${NAME}.issuerUrl`, message: fault });
      else if (issuerUrl?.includes('?') === true) faults.push({ field: `${NAME}.issuerUrl`, message: 'must not have a query' });
      if (faults.length > 0) throw invalidFields(faults);
    },

    async plan(db, scope, given) {
      const before: Row = (await readProvider(db, scope)) ?? PROVIDER_DEFAULTS;
      const after: Row = { ...before };
      for (const field of FIELDS) if (given[field] !== undefined) Object.assign(after, { [field]: given[field] });
      // Off, it is no way in: then it cannot be the only one.
      if (!after.isOn && given.ssoOnly === undefined) after.ssoOnly = false;
      const changes: SettingChange[] = FIELDS.filter((field) => after[field] !== before[field]).map((field) => ({
        field: `${NAME}.${field}`,
        from: before[field],
        to: after[field],
      }));
      const secret = opened(scope, before.clientSecretSealed);
      const wanted = given.clientSecret === undefined ? secret : given.clientSecret;
      if (wanted !== secret) {
        changes.push({ field: `${NAME}.clientSecret`, from: secret, to: wanted, secret: true });
        after.clientSecretSealed = wanted === null ? null : cipher.encrypt(Buffer.from(wanted), clientSecretPlace(scope));
      }
      refuseIncomplete(after);
      return {
        changes,
        async store() {
          await storeProvider(db, scope, after);
          // Those that a password has begun end with it; whoever switches it on has just given a second factor.
          if (after.ssoOnly && !before.ssoOnly) {
            await sessions.endAll(db, scope, { except: scope.person?.sessionId, reason: 'ended' }, scope.provenance);
          }
          return shownOf(after);
        },
      };
    },
  };
}

function refuseIncomplete(row: Row): void {
  const faults: FieldFault[] = [];
  if (row.isOn) {
    for (const field of ['issuerUrl', 'clientId'] as const) {
      if (row[field] === null) faults.push({ field: `${NAME}.${field}`, message: 'must be set before it is on' });
    }
    if (row.clientSecretSealed === null) faults.push({ field: `${NAME}.clientSecret`, message: 'must be set before it is on' });
  } else if (row.ssoOnly) faults.push({ field: `${NAME}.ssoOnly`, message: 'needs a provider that is on' });
  if (faults.length > 0) throw invalidFields(faults);
}
