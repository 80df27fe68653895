/** Sessions as a table, with what ends each. */
import type { z } from 'zod';
import type { PageContext } from '../../../pages/define-page.ts';
import { type Drawn, type Html, html } from '../../../pages/html.ts';
import { chip, stateChip } from '../../../pages/parts/chips.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { table } from '../../../pages/parts/table.ts';
import { ago } from '../../../pages/parts/time.ts';
import type { sessionResource } from '../../staff/staff-operations.ts';

export type Session = z.output<typeof sessionResource>;

export function sessionsTable(
  { format }: Pick<PageContext, 'format'>,
  sessions: readonly Session[],
  end: (id: string) => Html,
): Html {
  return table<Session>({
    caption: 'Sessions',
    rows: sessions,
    columns: [
      { title: 'Browser', cell: ({ agent, isThis }) => html`${browserOf(agent)}${isThis && html` ${chip('this one', 'good')}`}` },
      {
        title: 'State',
        cell: ({ status, endedReason }) =>
          html`${stateChip(status)}${endedReason !== null && html` <span class="muted">${endedReason.replaceAll('_', ' ')}</span>`}`,
      },
      { title: 'From', secondary: true, cell: ({ ip }) => ip },
      { title: 'Signed in', secondary: true, cell: ({ createdAt }) => ago(format, createdAt) },
      { title: 'Last seen', cell: ({ lastSeenAt }) => ago(format, lastSeenAt) },
      { title: 'End', cell: ({ id, status, isThis }): Drawn => (status === 'open' && !isThis ? end(id) : '–') },
    ],
    empty: empty({ what: 'Sessions of the last 30 days appear here', why: 'There are none.' }),
  });
}

/** "Firefox on Linux"; what is not known as it came. */
export function browserOf(agent: string | null): string {
  if (agent === null || agent === '') return 'Unknown browser';
  const name = /(Edg|OPR|Firefox|Chrome|Safari)\//.exec(agent)?.[1];
  const system = /Windows|Android|iPhone|iPad|Mac OS X|Linux/.exec(agent)?.[0];
  if (name === undefined) return agent.slice(0, 60);
  const word = { Edg: 'Edge', OPR: 'Opera' }[name] ?? name;
  return system === undefined ? word : `${word} on ${system === 'Mac OS X' ? 'macOS' : system}`;
}
