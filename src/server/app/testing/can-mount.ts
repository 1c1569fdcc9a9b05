import { execFileSync } from 'node:child_process';

/** Whether this machine lets tests mount a small disk (tmpfs). */
export const canMount = ((): boolean => {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
