/** Sets of scopes that a key is made with by name. Source: docs/specification/identity.md#presets. */

export const PRESETS = ['backend', 'reporting', 'full'] as const;
export type Preset = (typeof PRESETS)[number];

/** What a shop's server does not need: to look after the tenant itself, and what cannot be taken back. */
const NOT_OF_A_BACKEND: readonly string[] = [
  'commissions:grant',
  'rates:write',
  'payouts:approve',
  'payouts:execute',
  'members:erase',
  'members:export',
  'identity:read',
];

const FITS: Record<Exclude<Preset, 'full'>, (scope: string) => boolean> = {
  backend: (scope) => !scope.startsWith('admin:') && !NOT_OF_A_BACKEND.includes(scope),
  // Exporting as files writes nothing but the files, and needs the scope of each list beside it.
  reporting: (scope) => (scope.endsWith(':read') && scope !== 'identity:read') || scope === 'exports:write',
};

/** The scopes of a preset, of all that there are. */
export function scopesOfPreset(preset: Preset, all: readonly string[]): string[] {
  return preset === 'full' ? ['*'] : all.filter(FITS[preset]);
}
