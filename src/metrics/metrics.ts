/** What a process tells of itself: the instruments, and who reads what into them when somebody asks. */
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { BuildInfo } from '../build-info.ts';
import type { NoteCall } from '../outgoing/call-meter.ts';
import { createHttpMeter } from './http-meter.ts';
import { createInstruments, type Instruments, tellOfProcess } from './instruments.ts';

/** Brings what is counted elsewhere into the instruments. Cheap, and asks nobody: it runs at each scrape. */
export type ReadStats = (instruments: Instruments) => void;

export interface Metrics {
  instruments: Instruments;
  /** Counts and times requests. To be mounted first. */
  requests: RequestHandler;
  /** Counts what came to the port and never became a request. */
  noteBroken(): void;
  noteCall: NoteCall;
  /** To be run at each scrape from now on. One that throws is logged and leaves the others. */
  readAtScrape(what: string, read: ReadStats): void;
  contentType: string;
  /** The exposition in Prometheus' text format. */
  render(): Promise<string>;
}

export function createMetrics({ build, logger }: { build: BuildInfo; logger: Logger }): Metrics {
  const instruments = createInstruments();
  tellOfProcess(instruments);
  instruments.set('svc_build_info', { ...build }, 1);
  const readers: { what: string; read: ReadStats; failed: boolean }[] = [];

  return {
    instruments,
    requests: createHttpMeter(instruments),
    noteBroken: () => instruments.count('svc_http_broken_requests_total', {}),
    noteCall({ vendor, call, outcome, seconds }) {
      instruments.count('svc_vendor_calls_total', { vendor, call, outcome });
      instruments.observe('svc_vendor_call_duration_seconds', { vendor, call }, seconds);
    },
    readAtScrape: (what, read) => void readers.push({ what, read, failed: false }),
    contentType: instruments.registry.contentType,
    render() {
      for (const reader of readers) {
        try {
          reader.read(instruments);
          reader.failed = false;
        } catch (error) {
          if (!reader.failed) logger.error({ err: error }, `the metrics of ${reader.what} cannot be read`);
          reader.failed = true;
        }
      }
      return instruments.registry.metrics();
    },
  };
}
