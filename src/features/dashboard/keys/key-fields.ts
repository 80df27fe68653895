/** The fields that a new key and a changed one have alike. */
import type { PageContext } from '../../../pages/define-page.ts';
import type { Field } from '../../../pages/parts/form.ts';
import { SCOPE_WORDS } from './scope-words.ts';

/** A scope for each box, in words; only those that the person has: no key is given more. */
export function scopeBoxes(page: Pick<PageContext, 'can'>, chosen: readonly string[]): Field {
  const offered = Object.entries(SCOPE_WORDS).filter(([scope]) => page.can(scope as `${string}:${string}`));
  // What is not offered and is there already stays ticked, so that saving another field does not take it away.
  const others = chosen.filter((scope) => scope !== '*' && !offered.some(([known]) => known === scope));
  return {
    name: 'scopes',
    label: 'It may',
    type: 'checkboxes',
    value: chosen,
    choices: [
      ...offered.map(([value, words]) => ({ value, label: words, hint: value })),
      ...others.map((value) => ({ value, label: SCOPE_WORDS[value] ?? value, hint: value })),
    ],
  };
}

export function addressField(ranges: readonly string[] | null): Field {
  return {
    name: 'allowedIps',
    label: 'Only from these addresses',
    type: 'textarea',
    value: ranges?.join('\n') ?? '',
    placeholder: '203.0.113.0/24',
    hint: 'IP addresses and ranges, one a line. Empty: from anywhere.',
    mono: true,
  };
}

export function nameField(name: string | null): Field {
  return { name: 'name', label: 'Name', value: name, maxLength: 200, hint: 'To tell keys apart, as “Shop server”.' };
}

/** Whether the person has every scope, also those that are added later. */
export function holdsAll(page: Pick<PageContext, 'can'>): boolean {
  return page.can('*' as `${string}:${string}`);
}
