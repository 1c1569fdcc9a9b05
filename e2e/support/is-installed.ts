import { execFileSync } from 'node:child_process';
import { test } from '@playwright/test';

/** Whether a program is installed; if not, the running test notes that it was left out. */
export function isInstalled(program: string): boolean {
  if (program === 'sh') return true;
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    test.info().annotations.push({ type: 'left out', description: `${program} is not installed` });
    return false;
  }
}
