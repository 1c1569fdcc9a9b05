import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { hasFfmpeg } from '#server/app/testing/needs-ffmpeg.ts';
import { postgresProgram } from '#server/app/testing/postgres-program.ts';

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

const succeeds = (command: string, args: string[]): boolean => {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** A program that some tests need. */
interface Requirement {
  name: 'chromium' | 'ffmpeg' | 'postgresql';
  /** What is not tested without it. */
  tests: string;
  install: string;
  isInstalled: () => boolean;
}

const REQUIREMENTS: readonly Requirement[] = [
  {
    name: 'chromium',
    tests: 'all tests in a browser',
    install: 'apt-get install chromium, or npx playwright install chromium',
    isInstalled: () => findChromium() !== undefined,
  },
  {
    name: 'ffmpeg',
    tests: 'tests of video and audio',
    install: 'apt-get install ffmpeg, or brew install ffmpeg',
    isInstalled: hasFfmpeg,
  },
  {
    name: 'postgresql',
    tests: 'tests on PostgreSQL',
    install: 'apt-get install postgresql, or brew install postgresql',
    isInstalled: () => succeeds(postgresProgram('postgres'), ['--version']),
  },
];

const run = (command: string, args: string[]): boolean => {
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

/** Installs what the tests need where it may, and returns what is still missing. */
export function installMissing(): Requirement[] {
  const missing = () => REQUIREMENTS.filter(({ isInstalled }) => !isInstalled());
  if (missing().length === 0) return [];
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (mayInstall && run('apt-get', ['update', '-qq']))
    run('apt-get', ['install', '-qq', '-y', ...missing().map(({ name }) => name)]);
  if (!findChromium()) run('npx', ['playwright', 'install', 'chromium']);
  return missing();
}
