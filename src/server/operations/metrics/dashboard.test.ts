import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '#server/platform/core/clock.ts';
import { readConfig } from '#server/platform/core/settings/config.ts';
import type { Deps } from '#server/platform/deps.ts';
import { createMetrics, type Metrics } from './create-metrics.ts';

const FOLDER = join(import.meta.dirname, '../../../../docs');
const readText = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');
const DOCUMENTS = ['deploy/grafana-dashboard.json', 'deploy/alert-rules.yaml', 'operations.md'];

let metrics: Metrics;
let existing: Set<string>;
beforeAll(async () => {
  const config = readConfig({ DATA_DIR: import.meta.dirname, METRICS_PORT: '9464', METRICS_FUNDS: 'on' });
  const unreachable = { execute: () => Promise.reject(new Error('no database here')) } as unknown as Deps['db'];
  const deps = { config, db: unreachable, clock: systemClock, log: pino({ level: 'silent' }) };
  metrics = createMetrics(
    { ...deps, storage: {} as Deps['storage'] },
    { connections: () => ({ total: 1, idle: 1, waiting: 0 }) },
  );
  const { text } = await metrics.read();
  existing = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));
  expect(text).toMatch(/^emulsion_database_up 0$/m);
});
afterAll(() => metrics.close());

const listMetrics = (text: string): string[] =>
  [...new Set([...text.matchAll(/\b(?:emulsion|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name))]
    // Parts of a histogram; other names end with _count only as such.
    .map((name) => (existing.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, '')));

it.each(DOCUMENTS)('%s names metrics that exist', (file) => {
  const names = listMetrics(readText(file));
  expect(names.length).toBeGreaterThan(8);
  expect(names.filter((name) => !existing.has(name))).toEqual([]);
});

it('operations.md describes every metric of our own', () => {
  const described = new Set(listMetrics(readText('operations.md')));
  expect([...existing].filter((name) => name.startsWith('emulsion_') && !described.has(name))).toEqual([]);
});

it('the dashboard has panels with ids of their own, each with a query and a place', () => {
  const { panels } = JSON.parse(readText('deploy/grafana-dashboard.json')) as {
    panels: { id: number; title: string; gridPos: { x: number; y: number; w: number }; targets: { expr: string }[] }[];
  };
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(panels.length);
  for (const { gridPos, targets } of panels) {
    expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    expect(targets.every(({ expr }) => expr.includes('$job'))).toBe(true);
  }
});

it('each alert rule has an expression, a severity and a summary', () => {
  const rules = readText('deploy/alert-rules.yaml')
    .split(/^ {6}- alert: /m)
    .slice(1);
  expect(rules.length).toBeGreaterThan(8);
  for (const rule of rules) {
    for (const part of [/^\w+$/m, /^ {8}expr: /m, /severity: (critical|warning)/, /^ {10}summary: '.+\.'$/m])
      expect(rule).toMatch(part);
  }
});
