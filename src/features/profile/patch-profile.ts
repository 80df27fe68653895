/** A change of a profile, worked out: what the fields become, and which of them change. */
import type { z } from 'zod';
import type { Address, ProfileFields } from './open/profile.ts';
import type { updateProfile } from './profile-operations.ts';

type Patch = z.output<(typeof updateProfile)['body'] & {}>;

const PLAIN = ['name', 'givenName', 'surname', 'dateOfBirth', 'countryCode', 'businessName'] as const;

export interface PatchedProfile {
  fields: ProfileFields;
  /** Names of the fields that are other than before; those of the address as `address.city`. */
  changed: string[];
}

/** What is not in the patch stays, null clears. An ID number that is sent counts as changed: the old one is not opened to compare. */
export function patchProfile(present: ProfileFields & { idNumberLastFour: string | null }, patch: Patch): PatchedProfile {
  const plain = Object.fromEntries(PLAIN.map((name) => [name, patch[name] === undefined ? present[name] : patch[name]]));
  const address = mergeAddress(present.address, patch.address);
  const changed: string[] = PLAIN.filter((name) => plain[name] !== present[name]);
  const idNumberChanges = patch.idNumber === null ? present.idNumberLastFour !== null : patch.idNumber !== undefined;
  if (idNumberChanges) changed.push('idNumber');
  const names = new Set([...Object.keys(present.address ?? {}), ...Object.keys(address ?? {})]) as Set<keyof Address>;
  for (const name of names) if (address?.[name] !== present.address?.[name]) changed.push(`address.${name}`);
  return { fields: { ...(plain as Omit<ProfileFields, 'address'>), address }, changed };
}

/** Only what is set is kept; an address without anything is none. */
function mergeAddress(present: Address | null, patch: Patch['address']): Address | null {
  if (patch === undefined) return present;
  if (patch === null) return null;
  const kept = Object.entries({ ...present, ...patch }).filter(([, value]) => value != null);
  return kept.length === 0 ? null : Object.fromEntries(kept);
}
