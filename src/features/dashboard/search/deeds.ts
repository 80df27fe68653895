/** What one can begin from the palette: the pages with their forms, for whoever may do it. */
import type { Need, PageContext } from '../../../pages/define-page.ts';

export interface Deed {
  title: string;
  href: string;
}

const DEEDS: readonly { title: string; path: string; query?: Record<string, string>; needs: readonly Need[] }[] = [
  { title: 'Review verifications', path: '/verification', query: { start: 'yes' }, needs: ['admin:kyc'] },
  { title: 'Make an API key', path: '/keys/new', needs: ['admin:keys'] },
  { title: 'Add a sign-in provider', path: '/providers/new', needs: ['admin:auth'] },
  { title: 'Make a webhook endpoint', path: '/webhooks/endpoints/new', needs: ['webhooks:write'] },
  { title: 'Webhook deliveries', path: '/webhooks/deliveries', needs: ['webhooks:read'] },
  { title: 'Failed webhook deliveries', path: '/webhooks/deliveries', query: { status: 'failed' }, needs: ['webhooks:read'] },
  { title: 'Log of events', path: '/webhooks/events', needs: ['webhooks:read'] },
  { title: 'Types of webhook events', path: '/webhooks/types', needs: ['webhooks:read'] },
  { title: 'Check a webhook signature', path: '/webhooks/signature', needs: ['webhooks:read'] },
  { title: 'Edit the commission plan', path: '/plans', needs: ['plans:write'] },
  { title: 'Make a commission plan', path: '/plans/new', needs: ['plans:write'] },
  { title: 'Invite a person', path: '/people', needs: ['admin:staff'] },
  { title: 'Change the settings', path: '/settings', needs: ['admin:settings'] },
  { title: 'Import a file', path: '/imports', needs: ['members:write'] },
  { title: 'Export a list', path: '/exports', needs: ['exports:write'] },
  { title: 'Draft a payout run', path: '/payouts/runs/new', needs: ['payouts:write'] },
  { title: 'Failed payouts', path: '/payouts/all', query: { status: 'failed' }, needs: ['payouts:read'] },
  { title: 'Verify the ledger', path: '/ledger', query: { verify: 'yes' }, needs: ['ledger:read'] },
  { title: 'Move the sandbox clock', path: '/sandbox', needs: [] },
  { title: 'Change my password', path: '/account', needs: [] },
  { title: 'Add a passkey', path: '/account', needs: [] },
  { title: 'End my sessions', path: '/account', needs: [] },
];

export function deedsOf({ at, can, opens }: Pick<PageContext, 'at' | 'can' | 'opens'>): Deed[] {
  return DEEDS.flatMap(({ title, path, query, needs }) =>
    opens(path) && can(...needs) ? [{ title, href: at(path, query) }] : [],
  );
}
