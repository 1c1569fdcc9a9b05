import type { FullResult, Reporter, TestCase, TestResult } from '@playwright/test/reporter';

/** A worker of Playwright aborts rarely, by an assertion of glibc, whatever it runs. */
const CRASH = 'worker process exited unexpectedly';

/** Fails a run in which a test passed only when it was repeated, but for crashes of Playwright's own process. */
// oxlint-disable-next-line import/no-default-export -- Playwright takes a reporter's default export
export default class OnlyCrashesRepeat implements Reporter {
  readonly #failedOnce = new Map<TestCase, string>();

  onTestEnd(test: TestCase, { status, errors }: TestResult): void {
    if (status === 'passed' || status === 'skipped') return;
    if (!errors.some(({ message }) => message?.includes(CRASH)))
      this.#failedOnce.set(test, test.titlePath().join(' › '));
  }

  async onEnd({ status }: FullResult): Promise<Pick<FullResult, 'status'>> {
    const flaky = [...this.#failedOnce].filter(([test]) => test.outcome() === 'flaky').map(([, title]) => title);
    if (status !== 'passed' || flaky.length === 0) return { status };
    process.stdout.write(`\nPassed only when repeated, which counts as failed:\n${flaky.join('\n')}\n`);
    return { status: 'failed' };
  }

  printsToStdio(): boolean {
    return false;
  }
}
