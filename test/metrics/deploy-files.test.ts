/** The page of the metrics, the alert rules and the board name what there is: docs/metrics.md#alerts. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CATALOGUE, type Declared } from '../../src/metrics/catalogue.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

interface Rule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

const { groups } = parse(read('deploy/alerts.yml')) as { groups: { name: string; rules: Rule[] }[] };
const rules = groups.flatMap(({ rules: some }) => some);

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { h: number; w: number; x: number; y: number };
  targets?: { refId: string; expr: string }[];
  datasource?: { uid: string };
}
const board = JSON.parse(read('deploy/board.json')) as {
  title: string;
  schemaVersion: number;
  templating: { list: { name: string; type: string; query: string }[] };
  panels: Panel[];
};

/** Words of PromQL, and names of labels, which are no metrics. */
const WORDS = new Set(
  'sum min max count by le rate increase changes absent vector time topk histogram_quantile and or on ignoring'.split(' '),
);

/** The metrics that an expression names: what is no word, label or text. */
function metricsOf(expr: string): string[] {
  const bare = expr
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\bby \([^)]*\)/g, '')
    .replaceAll(/\[[^\]]*\]/g, '');
  return [...bare.matchAll(/[a-zA-Z_:][\w:]*/g)].map(([word]) => word).filter((word) => !WORDS.has(word));
}

/** The labels that an expression asks for, with the values it compares them with. */
function labelsOf(expr: string): { metric: string; label: string }[] {
  return [...expr.matchAll(/(\w+)\{([^}]*)\}/g)].flatMap(([, metric = '', inside = '']) =>
    [...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => ({ metric, label })),
  );
}

async function namesOfRegistry(): Promise<Set<string>> {
  const metrics = createMetrics({
    build: { version: '0', commit: '0', node: '0' },
    logger: pino({ level: 'silent' }),
  });
  const told = [...(await metrics.render()).matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  const names = told.flatMap(([, name = '', type]) =>
    type === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
  return new Set([...names, 'up']); // that is Prometheus' own
}

const expressions = [
  ...rules.map(({ alert, expr }) => ({ where: alert, expr })),
  ...board.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ where: title, expr }))),
];

describe('the catalogue', () => {
  test('is what the registry has, with names, units and labels as they are usual', async () => {
    const names = await namesOfRegistry();
    for (const [name, { type, help, labels }] of Object.entries<Declared>(CATALOGUE)) {
      expect(names, name).toContain(name);
      expect(name.endsWith('_total'), name).toBe(type === 'counter');
      expect(name, name).toMatch(/^svc_[a-z_]+$/);
      expect(help.length, name).toBeGreaterThan(10);
      for (const label of labels) expect(label, name).not.toMatch(/tenant|member|key|path|address|email|_id$/i);
    }
    expect([...names].filter((name) => name.startsWith('svc_') && !/_(bucket|sum|count)$/.test(name)).toSorted()).toEqual(
      Object.keys(CATALOGUE).toSorted(),
    );
  });

  test('is the table of docs/metrics.md', () => {
    const rows = Object.entries<Declared>(CATALOGUE).map(
      ([name, { type, help, labels }]) =>
        `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
    );
    const page = read('docs/metrics.md').split('\n');
    expect(page.filter((line) => line.startsWith('| `svc_'))).toEqual(rows);
  });
});

test('every metric that an alert or the board names is there, with its labels', async () => {
  const names = await namesOfRegistry();
  expect(expressions.length).toBeGreaterThan(60);
  const unknown = expressions.flatMap(({ where, expr }) =>
    metricsOf(expr)
      .filter((name) => !names.has(name))
      .map((name) => `${where}: ${name}`),
  );
  expect(unknown).toEqual([]);
  const declared = CATALOGUE as Readonly<Record<string, Declared>>;
  const foreign = expressions.flatMap(({ where, expr }) =>
    labelsOf(expr)
      .filter(({ metric }) => metric.startsWith('svc_'))
      .filter(({ metric, label }) => !declared[metric.replace(/_(bucket|sum|count)$/, '')]?.labels.includes(label))
      .map(({ metric, label }) => `${where}: ${metric}{${label}}`),
  );
  expect(foreign).toEqual([]);
});

test('the reader of expressions finds what is named', () => {
  expect(metricsOf('sum by (code) (rate(a_total{code="x_y",z=~"q"}[5m])) / max(b) > 0 or vector(0)')).toEqual(['a_total', 'b']);
  expect(labelsOf('a{b="1",c!~"2"}')).toEqual([
    { metric: 'a', label: 'b' },
    { metric: 'a', label: 'c' },
  ]);
});

describe('the alerts', () => {
  test('have a name of their own, a severity, a summary and a page that exists', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, labels, annotations } of rules) {
      expect(['page', 'ticket'], alert).toContain(labels.severity);
      expect(annotations.summary.length, alert).toBeGreaterThan(20);
      const [file = '', anchor] = annotations.runbook.split('#');
      expect(file, alert).toMatch(/^docs\/runbooks\/[a-z-]+\.md$/);
      expect(existsSync(path.join(root, file)), `${alert}: ${file}`).toBe(true);
      if (anchor !== undefined) expect(read(file), `${alert}: ${annotations.runbook}`).toContain(`<a id="${anchor}"></a>`);
    }
  });

  test('each has a case that it fires on', () => {
    const cases = read('deploy/alerts.test.yml');
    const untried = rules.map(({ alert }) => alert).filter((alert) => !cases.includes(`'{alertname="${alert}"}', value: 1`));
    expect(untried).toEqual([]);
  });
});

test('the board has panels for what matters, of one data source that is chosen', () => {
  expect(board.schemaVersion).toBeGreaterThanOrEqual(36);
  expect(board.templating.list).toContainEqual(
    expect.objectContaining({ name: 'datasource', type: 'datasource', query: 'prometheus' }),
  );
  expect(board.panels.filter(({ type }) => type === 'row').map(({ title }) => title)).toEqual([
    'At a glance',
    'Requests',
    'Database',
    'Background work',
    'Vendors and payouts',
    'Limits',
    'Processes',
  ]);
  const panels = board.panels.filter(({ type }) => type !== 'row');
  expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length);
  for (const { title, targets, datasource, gridPos } of panels) {
    expect(targets?.length, title).toBeGreaterThan(0);
    expect(datasource?.uid, title).toMatch(/^\$\{datasource\}$/);
    expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
  }
});
