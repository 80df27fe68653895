/** What waits for somebody, for the numbers in the navigation. Every page shows them, so they are remembered for moments. */
import type { Logger } from 'pino';
import type { Invoke } from '../../http/invoke.ts';
import { monthOf } from '../../pages/parts/months.ts';
import { getOverview } from '../overview/overview-operations.ts';
import type { Visit } from './page-context.ts';

/** By the names of the overview's `waiting`; what the reader may not list is null. */
export type WaitingCounts = Readonly<Record<string, number | null | undefined>>;

/** Whose counts: those of one role are alike. */
type Reader = Pick<Visit, 'tenant' | 'environment' | 'person' | 'caller' | 'origin' | 'now'>;

export interface Waiting {
  /** Never throws: a page without its numbers is a page. */
  of(reader: Reader): Promise<WaitingCounts>;
  /** What was remembered of the tenant, because something was done. */
  forget(reader: Pick<Visit, 'tenant'>): void;
}

const REMEMBERED_MS = 5_000;
const MOST_REMEMBERED = 2_000;

export function createWaiting({ invoke, logger }: { invoke: Invoke; logger: Logger }): Waiting {
  const remembered = new Map<string, { until: number; counts: Promise<WaitingCounts> }>();

  async function read({ tenant, caller, origin, now }: Reader): Promise<WaitingCounts> {
    try {
      // Months do not matter here: one is the least.
      const month = monthOf(now, tenant.timeZone);
      const { body } = await invoke(getOverview, { query: { from: month, to: month } }, { caller, origin });
      return body?.waiting ?? {};
    } catch (error) {
      logger.warn({ err: error }, 'the numbers of what waits were not read');
      return {};
    }
  }

  return {
    of(reader) {
      const key = `${reader.tenant.id}|${reader.environment}|${reader.person.role}`;
      const before = remembered.get(key);
      if (before && before.until > performance.now()) return before.counts;
      if (remembered.size >= MOST_REMEMBERED) remembered.clear();
      const counts = read(reader);
      remembered.set(key, { until: performance.now() + REMEMBERED_MS, counts });
      return counts;
    },
    forget({ tenant }) {
      for (const key of remembered.keys()) if (key.startsWith(`${tenant.id}|`)) remembered.delete(key);
    },
  };
}
