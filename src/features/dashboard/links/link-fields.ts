/** The fields of a link that can be changed later too. */
import type { PageContext } from '../../../pages/define-page.ts';
import type { Field } from '../../../pages/parts/form.ts';
import type { Link } from './links-view.ts';

export function linkFields(
  { tenant: { timeZone } }: Pick<PageContext, 'tenant'>,
  link?: Pick<Link, 'destination_url' | 'name' | 'expires_at'>,
): Field[] {
  return [
    {
      name: 'destination_url',
      label: 'Leads to',
      type: 'url',
      value: link?.destination_url,
      required: true,
      maxLength: 2048,
      placeholder: 'https://shop.example/spring',
      hint: 'On one of the hosts that the settings name.',
    },
    { name: 'name', label: 'Name', value: link?.name, maxLength: 255, hint: 'Not shown to visitors.' },
    {
      name: 'expires_at',
      label: 'Ends',
      type: 'date',
      value: link && dayIn(timeZone, link.expires_at),
      hint: 'As that day begins. Empty: never.',
    },
  ];
}

/** `2026-11-22`, as fields of dates have it; nothing for never. */
export function dayIn(timeZone: string, instant: string | Date | null): string | undefined {
  if (instant === null) return undefined;
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date(instant));
}
