/** A state as a word with a dot and a tint: one word and one tint a state everywhere. Source: docs/specification/pages.md#states. */
import { type Html, html } from '../html.ts';

export const TINTS = ['good', 'waiting', 'bad', 'moving', 'neutral'] as const;
export type Tint = (typeof TINTS)[number];

const TINT_OF: Readonly<Record<string, Tint>> = {
  accepted: 'good',
  active: 'good',
  approved: 'good',
  cleared: 'good',
  completed: 'good',
  confirmed: 'good',
  converted: 'good',
  delivered: 'good',
  done: 'good',
  enabled: 'good',
  healthy: 'good',
  paid: 'good',
  succeeded: 'good',
  verified: 'good',
  captured: 'waiting',
  draft: 'waiting',
  held: 'waiting',
  invited: 'waiting',
  open: 'waiting',
  paused: 'waiting',
  pending: 'waiting',
  waiting: 'waiting',
  blocked: 'bad',
  bad: 'bad',
  failed: 'bad',
  partially_failed: 'bad',
  refused: 'bad',
  rejected: 'bad',
  banned: 'bad',
  returned: 'bad',
  approving: 'moving',
  executing: 'moving',
  in_review: 'moving',
  moving: 'moving',
  processing: 'moving',
  qualified: 'moving',
  queued: 'moving',
  running: 'moving',
  sent: 'moving',
  submitted: 'moving',
};

/** A word with a dot, on a tint. */
export function chip(word: string, tint: Tint = 'neutral'): Html {
  return html`<span class="chip chip-${tint}">${word}</span>`;
}

/** The chip of a state: its word as the API has it, in lower case. What is not known is neutral. */
export function stateChip(state: string): Html {
  const known = state.toLowerCase();
  return chip(known.replaceAll('_', ' '), TINT_OF[known] ?? 'neutral');
}

/** A word that is no state, as a tier. */
export function label(word: string): Html {
  return html`<span class="label">${word}</span>`;
}
