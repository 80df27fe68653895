/**
 * Every metric of the service: its type, its labels and what it says. The table of docs/metrics.md is held against this
 * list, and the alert rules and the board may name nothing else beside what prom-client tells of the process itself.
 * A label is never a tenant, an id or a path as it was sent: docs/metrics.md#labels.
 */

export interface Declared {
  type: 'counter' | 'gauge' | 'histogram';
  /** As it stands in the exposition, and in the documentation. */
  help: string;
  labels: readonly string[];
  /** Upper bounds of a histogram, in its unit. */
  buckets?: readonly number[];
}

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const CALL_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export const CATALOGUE = {
  svc_build_info: {
    type: 'gauge',
    help: 'Always 1; the labels say what runs',
    labels: ['version', 'commit', 'node'],
  },

  svc_http_requests_total: {
    type: 'counter',
    help: 'Requests answered or broken off (status 499), by route template; route none is a path that nobody mounted',
    labels: ['method', 'route', 'status', 'environment'],
  },
  svc_http_request_duration_seconds: {
    type: 'histogram',
    help: 'Seconds from the head of a request to the end of its answer',
    labels: ['method', 'route', 'environment'],
    buckets: REQUEST_SECONDS,
  },
  svc_http_requests_in_flight: { type: 'gauge', help: 'Requests that are being answered', labels: [] },
  svc_http_errors_total: { type: 'counter', help: 'Error answers by the code in their body', labels: ['code'] },
  svc_http_rate_limited_total: {
    type: 'counter',
    help: 'Requests refused with 429, by whose limit it was (details.limit of the answer)',
    labels: ['limit'],
  },
  svc_http_broken_requests_total: {
    type: 'counter',
    help: 'What came to the port and was no request that could be routed: malformed, late or too large',
    labels: [],
  },

  svc_db_connections: { type: 'gauge', help: 'Connections that the pool may have at most', labels: ['pool'] },
  svc_db_connections_in_use: { type: 'gauge', help: 'Connections that a transaction holds', labels: ['pool'] },
  svc_db_waiting: { type: 'gauge', help: 'Transactions that wait for a connection', labels: ['pool'] },
  svc_db_refused_total: {
    type: 'counter',
    help: 'Transactions turned away because no connection came free in time',
    labels: ['pool'],
  },
  svc_db_retried_total: {
    type: 'counter',
    help: 'Transactions run again after a deadlock, a serialization failure or a lost connection',
    labels: ['pool'],
  },
  svc_db_connections_destroyed_total: {
    type: 'counter',
    help: 'Connections given up as mute: past their deadline, or found dead by the probe',
    labels: ['pool'],
  },
  svc_db_reachable: { type: 'gauge', help: '1 while the database answers the pool, 0 while it does not', labels: ['pool'] },

  svc_jobs: {
    type: 'gauge',
    help: 'Background jobs: waiting (due now), scheduled (due later, a repeat) or active',
    labels: ['queue', 'state'],
  },
  svc_jobs_oldest_age_seconds: {
    type: 'gauge',
    help: 'How long the oldest of them has been due (waiting) or has run (active)',
    labels: ['queue', 'state'],
  },
  svc_dead_letters: { type: 'gauge', help: 'Jobs that failed for good and that nobody has dealt with', labels: ['queue'] },
  svc_gather_last_success_timestamp_seconds: {
    type: 'gauge',
    help: 'When the values that need a query were last read from the database',
    labels: [],
  },
  svc_gather_failures_total: { type: 'counter', help: 'Readings of those values that failed or took too long', labels: [] },
  svc_data_dir_free_bytes: { type: 'gauge', help: 'What is left of the disk of DATA_DIR, where documents are kept', labels: [] },
  svc_data_dir_size_bytes: { type: 'gauge', help: 'Of that disk altogether', labels: [] },

  svc_sweep_oldest_due_seconds: {
    type: 'gauge',
    help: 'For how long the process has seen work of the sweep due in the tenant that waits longest; 0 when nothing is due',
    labels: ['sweep'],
  },
  svc_sweep_due_scopes: {
    type: 'gauge',
    help: 'Tenants and environments with work for the sweep when it was last looked for',
    labels: ['sweep'],
  },
  svc_sweep_last_batch_seconds: { type: 'gauge', help: 'What the last batch of the sweep took', labels: ['sweep'] },
  svc_sweep_longest_batch_seconds: {
    type: 'gauge',
    help: 'What the longest batch of the sweep took since the process started',
    labels: ['sweep'],
  },
  svc_sweep_batches_total: { type: 'counter', help: 'Batches of the sweep', labels: ['sweep'] },
  svc_sweep_rows_total: { type: 'counter', help: 'Rows that the sweep has handled', labels: ['sweep'] },
  svc_sweep_failures_total: { type: 'counter', help: 'Batches of the sweep that failed', labels: ['sweep'] },
  svc_job_places: { type: 'gauge', help: 'Jobs that the process does at once at most, by lane', labels: ['lane'] },
  svc_job_places_in_use: { type: 'gauge', help: 'Jobs that it does', labels: ['lane'] },
  svc_loop_last_pass_age_seconds: {
    type: 'gauge',
    help: 'How long ago the loop of background work last passed',
    labels: ['loop'],
  },

  svc_vendor_calls_total: {
    type: 'counter',
    help: 'Calls to vendors with their repeats: ok, refused, misconfigured (the account or address of a tenant), unavailable, failed',
    labels: ['vendor', 'call', 'outcome'],
  },
  svc_vendor_call_duration_seconds: {
    type: 'histogram',
    help: 'Seconds of a call with its repeats',
    labels: ['vendor', 'call'],
    buckets: CALL_SECONDS,
  },
  svc_payouts_frozen: {
    type: 'gauge',
    help: '1 while no payout is sent because the database is another than remembered, else 0',
    labels: [],
  },

  svc_rate_limit_counters: {
    type: 'gauge',
    help: '1 for where requests are counted now: memory, shared (Redis) or not counted, 0 for the others',
    labels: ['state'],
  },
  svc_rate_limit_uncounted_total: {
    type: 'counter',
    help: 'Counts that were left out because Redis did not answer',
    labels: [],
  },
  svc_tenant_gate_running: { type: 'gauge', help: 'Requests that have a place of their tenant', labels: [] },
  svc_tenant_gate_waiting: { type: 'gauge', help: 'Requests that wait for a turn of their tenant', labels: [] },
  svc_tenant_gate_refused_total: {
    type: 'counter',
    help: 'Requests refused because their tenant had too many under way',
    labels: [],
  },

  svc_doctor_invariant_ok: {
    type: 'gauge',
    help: '1 when the invariant of the doctor held at its last examination, 0 when it was broken',
    labels: ['id'],
  },
  svc_doctor_last_success_timestamp_seconds: {
    type: 'gauge',
    help: 'When the doctor last examined all invariants to the end',
    labels: [],
  },
  svc_doctor_failures_total: { type: 'counter', help: 'Examinations that could not be ended', labels: [] },
} as const satisfies Record<string, Declared>;

export type MetricName = keyof typeof CATALOGUE;

/** Names by their type. */
export type NameOf<Type extends Declared['type']> = {
  [Name in MetricName]: (typeof CATALOGUE)[Name]['type'] extends Type ? Name : never;
}[MetricName];

/** Every label of the metric with its value. */
export type LabelsOf<Name extends MetricName> = Record<(typeof CATALOGUE)[Name]['labels'][number], string>;
