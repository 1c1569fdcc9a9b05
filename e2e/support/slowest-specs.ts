import path from 'node:path';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { formatSlowest } from '#server/app/testing/slowest-files.ts';

/** Prints the slowest files at the end of a run. */
// oxlint-disable-next-line import/no-default-export -- Playwright takes a reporter's default export
export default class SlowestSpecs implements Reporter {
  readonly #durationMs = new Map<string, number>();

  onTestEnd({ location }: TestCase, { duration }: TestResult): void {
    const file = path.relative(process.cwd(), location.file);
    this.#durationMs.set(file, (this.#durationMs.get(file) ?? 0) + duration);
  }

  onEnd(): void {
    if (this.#durationMs.size === 0) return;
    const durations = [...this.#durationMs].map(([file, durationMs]) => ({ file, durationMs }));
    process.stdout.write(`\n${formatSlowest(durations)}\n`);
  }

  printsToStdio(): boolean {
    return false;
  }
}
