import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

export function findChromium(): string | undefined {
  const candidates = [
    process.env['CHROMIUM_PATH'],
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    chromium.executablePath(),
  ];
  return candidates.find((path) => path && existsSync(path));
}

const hasCommand = (name: string) => {
  try {
    execFileSync(name, ['-version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const run = (command: string, args: string[]) => {
  process.stdout.write(`> ${command} ${args.join(' ')}\n`);
  try {
    execFileSync(command, args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    return true;
  } catch {
    return false;
  }
};

/** Installs what the tests need where it may, else prints in one line what to install. */
function installMissing(): void {
  const missing = () => [...(findChromium() ? [] : ['chromium']), ...(hasCommand('ffmpeg') ? [] : ['ffmpeg'])];
  if (missing().length === 0) return;
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (mayInstall && run('apt-get', ['update', '-qq'])) run('apt-get', ['install', '-qq', '-y', ...missing()]);
  if (!findChromium()) run('npx', ['playwright', 'install', 'chromium']);
  const still = missing();
  if (still.length === 0) return;
  process.stderr.write(`The tests need ${still.join(' and ')}: install with your package manager and run again.\n`);
  process.exitCode = 1;
}

if (import.meta.main) installMissing();
