import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { describeRest } from './test-tiers.ts';

const SHOWN = 10;

/** Returns a table of the slowest files, the slowest first. */
export function formatSlowest(durations: readonly { file: string; durationMs: number }[]): string {
  const slowest = durations.toSorted((one, other) => other.durationMs - one.durationMs).slice(0, SHOWN);
  const rows = slowest.map(({ file, durationMs }) => `${(durationMs / 1_000).toFixed(1).padStart(7)} s  ${file}`);
  return ['Slowest files', ...rows].join('\n');
}

/** Prints the slowest files at the end of a run, and what `npm test` leaves out. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= SHOWN) return;
    const durations = modules.map((module) => ({
      file: relative(process.cwd(), module.moduleId),
      durationMs: module.diagnostic().duration + module.diagnostic().collectDuration,
    }));
    const isCore = modules.every(({ project }) => project.name === 'core');
    process.stdout.write(`\n${formatSlowest(durations)}\n${isCore ? `${describeRest().join('\n')}\n` : ''}`);
  }
}
