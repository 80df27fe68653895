/** The doctor at an interval, for its invariants as metrics and a line in the log. Source: docs/metrics.md#doctor. */
import type { Logger } from 'pino';
import type { Audit } from '../doctor/audit.ts';
import { type AuditResult, examine } from '../doctor/doctor.ts';
import { type Loop, startLoop } from '../jobs/loop.ts';
import { createInstruments, type Instruments } from './instruments.ts';

/** Examines now and then every `everyMs`. A broken invariant is an error in the log each time. */
export function startExamining(options: {
  adminUrl: string;
  audits: readonly Audit[];
  everyMs: number;
  logger: Logger;
  /** Undefined where nobody reads metrics. */
  instruments: Instruments | undefined;
}): Loop {
  const { adminUrl, audits, everyMs, logger, instruments } = options;
  return startLoop({
    name: 'the doctor',
    logger,
    pauseMs: everyMs,
    async step() {
      try {
        const results = await examine(adminUrl, audits);
        if (instruments) setInvariants(instruments, results);
        const broken = results.filter(({ breaches }) => breaches.length > 0).map(({ id }) => id);
        if (broken.length > 0) logger.error({ broken }, 'invariants are broken: run doctor, which names the rows');
      } catch (error) {
        instruments?.count('svc_doctor_failures_total', {});
        throw error;
      }
      return false;
    },
  });
}

function setInvariants({ set }: Instruments, results: readonly AuditResult[]): void {
  for (const { id, breaches } of results) set('svc_doctor_invariant_ok', { id }, breaches.length === 0 ? 1 : 0);
  set('svc_doctor_last_success_timestamp_seconds', {}, Date.now() / 1000);
}

/** The same as a file for the textfile collector of a node exporter. */
export function renderInvariants(results: readonly AuditResult[]): Promise<string> {
  const instruments = createInstruments((name) =>
    ['svc_doctor_invariant_ok', 'svc_doctor_last_success_timestamp_seconds'].includes(name),
  );
  setInvariants(instruments, results);
  return instruments.registry.metrics();
}
