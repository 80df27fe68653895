/** The catalogue as prom-client's instruments, on a registry of its own: a process may have several compositions. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { CATALOGUE, type Declared, type LabelsOf, type MetricName, type NameOf } from './catalogue.ts';

export interface Instruments {
  registry: Registry;
  /** Adds one to a counter. */
  count<Name extends NameOf<'counter'>>(name: Name, labels: LabelsOf<Name>): void;
  /** Takes a counter from what counts it elsewhere since the process began. */
  total<Name extends NameOf<'counter'>>(name: Name, labels: LabelsOf<Name>, value: number): void;
  set<Name extends NameOf<'gauge'>>(name: Name, labels: LabelsOf<Name>, value: number): void;
  add<Name extends NameOf<'gauge'>>(name: Name, labels: LabelsOf<Name>, by: number): void;
  observe<Name extends NameOf<'histogram'>>(name: Name, labels: LabelsOf<Name>, value: number): void;
  /** Forgets all series of a gauge: what is not known is absent, not 0. */
  forget(name: NameOf<'gauge'>): void;
}

/** `only` takes a part of the catalogue, for a file that has no more. */
export function createInstruments(only: (name: MetricName) => boolean = () => true): Instruments {
  const registry = new Registry();
  const counters = new Map<string, Counter>();
  const gauges = new Map<string, Gauge>();
  const histograms = new Map<string, Histogram>();
  const declared: [string, Declared][] = Object.entries(CATALOGUE);
  for (const [name, { type, help, labels, buckets = [] }] of declared.filter(([name]) => only(name as MetricName))) {
    const options = { name, help, labelNames: [...labels], registers: [registry] };
    if (type === 'counter') counters.set(name, new Counter(options));
    else if (type === 'histogram') histograms.set(name, new Histogram({ ...options, buckets: [...buckets] }));
    else {
      const gauge = new Gauge(options);
      // One without labels begins as 0; nobody has said so yet.
      if (labels.length === 0) gauge.remove();
      gauges.set(name, gauge);
    }
  }

  return {
    registry,
    count: (name, labels) => counters.get(name)?.inc(labels),
    total(name, labels, value) {
      const counter = counters.get(name);
      if (Object.keys(labels).length === 0) counter?.reset();
      else counter?.remove(labels);
      counter?.inc(labels, value);
    },
    set: (name, labels, value) => gauges.get(name)?.set(labels, value),
    add: (name, labels, by) => gauges.get(name)?.inc(labels, by),
    observe: (name, labels, value) => histograms.get(name)?.observe(labels, value),
    forget(name) {
      const gauge = gauges.get(name);
      if (CATALOGUE[name].labels.length === 0) gauge?.remove();
      else gauge?.reset();
    },
  };
}

/** What prom-client tells of the process: processor, memory, file descriptors, event loop, garbage collection. */
export function tellOfProcess({ registry }: Instruments): void {
  collectDefaultMetrics({ register: registry });
}
