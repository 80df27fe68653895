/** What a change of an identity provider does to the question who is signed in. Source: docs/specification/identity.md#provider-changes. */
import { canonicalJson } from '../../canonical-json.ts';
import { guardsWhenNarrow } from '../../house/settings.ts';
import type { Direction, FieldEffect } from '../../http/held-back.ts';
import type { ProviderSettings } from './providers-queries.ts';

/** On lets in who was not before. */
const guardsWhenOff = (_before: boolean, after: boolean): Direction => (after ? 'weakens' : 'tightens');

const HANDS: {
  [Field in keyof ProviderSettings]: (before: ProviderSettings[Field], after: ProviderSettings[Field]) => Direction;
} = {
  issuerUrl: () => 'weakens',
  jwksUri: () => 'weakens',
  allowedAudiences: guardsWhenNarrow,
  autoCreateUsers: guardsWhenOff,
  trustEmail: guardsWhenOff,
  acceptUnverifiedEmail: guardsWhenOff,
};

const FIELDS = Object.keys(HANDS) as (keyof ProviderSettings)[];

/** A new provider is a new way in, whatever it is trusted with. */
export function effectsOfNew(providerId: string, settings: ProviderSettings): FieldEffect[] {
  const shown = { from: null, to: pick(settings) };
  // Where its keys are may be the issuer's to say: what is confirmed is what was seen.
  return [{ field: `authProviders.${providerId}`, direction: 'weakens', before: canonicalJson([null, settings.jwksUri]), shown }];
}

export function effectsOfUpdate(providerId: string, before: ProviderSettings, after: ProviderSettings): FieldEffect[] {
  return FIELDS.filter((field) => canonicalJson(before[field]) !== canonicalJson(after[field])).map((field) => ({
    field: `authProviders.${providerId}.${field}`,
    direction: directionOf(field, before, after),
    before: canonicalJson(field === 'jwksUri' ? [before.jwksUri, after.jwksUri] : before[field]),
    shown: { from: before[field], to: after[field] },
  }));
}

/** With it goes what was asked of it. */
export function effectsOfDeletion(providerId: string, before: ProviderSettings): FieldEffect[] {
  return FIELDS.map((field) => ({
    field: `authProviders.${providerId}.${field}`,
    direction: 'tightens' as const,
    before: canonicalJson(before[field]),
    shown: { from: before[field], to: null },
  }));
}

function directionOf<Field extends keyof ProviderSettings>(
  field: Field,
  before: ProviderSettings,
  after: ProviderSettings,
): Direction {
  return HANDS[field](before[field], after[field]);
}

const pick = (settings: ProviderSettings) => Object.fromEntries(FIELDS.map((field) => [field, settings[field]]));
