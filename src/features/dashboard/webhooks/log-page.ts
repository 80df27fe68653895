/** The log: what has happened, whoever heard of it. */
import { definePage, type PageContext } from '../../../pages/define-page.ts';
import { dayFrom, dayTo } from '../../../pages/instants.ts';
import { listWebhookEvents } from '../../webhooks/log/events-operations.ts';
import { drawLog, FILTERS, type LogFacts } from './log-view.ts';

const MOST = 50;

export const logPage = definePage({
  path: '/webhooks/events',
  title: 'Log of events',
  below: '/webhooks',
  needs: [listWebhookEvents],
  filters: FILTERS,
  async get(page) {
    const isFiltered = FILTERS.some((name) => (page.query[name] ?? '') !== '');
    return drawLog(page, await (isFiltered ? matching(page) : latest(page)));
  },
});

/** In the order of the log, from its beginning. */
async function matching(page: PageContext): Promise<LogFacts> {
  const { type, objectId, from, to, cursor } = page.query;
  const { timeZone } = page.tenant;
  const days = { from: dayFrom(timeZone, from), to: dayTo(timeZone, to) };
  const query = { type, objectId, ...days, cursor, limit: String(MOST) };
  const { data, nextCursor } = await page.invoke(listWebhookEvents, { query });
  return {
    isFiltered: true,
    events: data,
    ...(cursor !== undefined && { before: page.here({ cursor: undefined }) }),
    ...(nextCursor !== null && { behind: page.here({ cursor: nextCursor }) }),
  };
}

/** The newest first: numbers have no gaps, so those before a number are known without a search. */
async function latest(page: PageContext): Promise<LogFacts> {
  const { data: oldest, lastSequence } = await page.invoke(listWebhookEvents, { query: { limit: '1' } });
  const [first] = oldest;
  if (!first) return { isFiltered: false, events: [] };
  const asked = Number(page.query['upTo'] ?? lastSequence);
  const upTo = Number.isSafeInteger(asked) ? Math.min(Math.max(asked, first.sequence), lastSequence) : lastSequence;
  const after = Math.max(first.sequence - 1, upTo - MOST);
  const query = { afterSequence: String(after), limit: String(upTo - after) };
  const { data } = await page.invoke(listWebhookEvents, { query });
  return {
    isFiltered: false,
    events: data.toReversed(),
    ...(upTo < lastSequence && { before: page.here({ upTo: upTo + MOST >= lastSequence ? undefined : upTo + MOST }) }),
    ...(after >= first.sequence && { behind: page.here({ upTo: after }) }),
  };
}
