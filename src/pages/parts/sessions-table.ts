/** Sessions as a table, with what ends each. */
import type { Formats } from '../format.ts';
import { type Drawn, type Html, html } from '../html.ts';
import { chip, stateChip } from './chips.ts';
import { empty } from './empty.ts';
import { table } from './table.ts';
import { ago } from './time.ts';

/** As the operations of people answer it. */
export interface ShownSession {
  id: string;
  status: string;
  agent: string | null;
  ip: string | null;
  createdAt: string;
  lastSeenAt: string;
  endedReason: string | null;
  isThis: boolean;
}

/** `end` draws what ends a session; the one in hand has none, for signing out does that. */
export function sessionsTable(
  { format }: { format: Formats },
  sessions: readonly ShownSession[],
  end: (id: string) => Html,
): Html {
  return table<ShownSession>({
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
      { title: 'Last seen', secondary: true, cell: ({ lastSeenAt }) => ago(format, lastSeenAt) },
      { title: 'End', cell: ({ id, status, isThis }): Drawn => (status === 'open' && !isThis ? end(id) : '–') },
    ],
    empty: empty({
      what: 'Sessions of the last 30 days appear here',
      why: 'There are none. Signing in begins one.',
    }),
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
