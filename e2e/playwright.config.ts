import { defineConfig, devices, type Project } from '@playwright/test';
import { filesThatNeedFfmpeg, hasFfmpeg } from '#server/app/testing/needs-ffmpeg.ts';
import { findChromium } from './support/requirements.ts';

const asRoot = process.getuid?.() === 0;
const executablePath = findChromium();
const desktop = { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } };
const phone = { ...devices['Pixel 7'], viewport: { width: 390, height: 844 } };
/** `npm test` runs the projects whose name begins with `core`, `npm run test:more` the others. */
const MORE = '*.more.spec.ts';
/** Started first, so that no worker is idle at the end. */
const LONGEST = ['a11y', 'failure', 'create', 'workflows', 'approvals', 'review', 'main-job'];
const longest = LONGEST.map((name) => `${name}.spec.ts`);
const longestMore = ['a11y', 'continue', 'failure'].map((name) => `${name}.more.spec.ts`);

const PLAYWRIGHT_DISABLES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  'Translate',
];

const projects: readonly (Project & { testIgnore?: string[] })[] = [
  { name: 'core, longest', testMatch: longest, use: desktop },
  { name: 'core', testIgnore: [...longest, MORE], use: desktop },
  { name: 'more, longest', testMatch: longestMore, use: desktop },
  { name: 'more, phone', testMatch: 'main-job.spec.ts', use: phone },
  { name: 'more', testMatch: MORE, testIgnore: longestMore, use: desktop },
];
/** What can't run here. */
const skipped = hasFfmpeg() ? [] : filesThatNeedFfmpeg('e2e/*.spec.ts').map((file) => file.replace('e2e/', ''));

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results',
  fullyParallel: false,
  // A browser, a service and its media processes share two cores; a third of each would only make all of them late.
  workers: 2,
  // For crashes only, see the last reporter.
  retries: 1,
  // These end what hangs: no test may depend on how fast the machine is.
  timeout: 300_000,
  expect: { timeout: 90_000 },
  reporter: [['list'], ['./support/slowest-specs.ts'], ['./support/only-crashes-repeat.ts']],
  use: {
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        '--disable-background-networking',
        '--disable-quic',
        // Emulating one takes a tenth of the browser's processor time.
        '--disable-gpu',
        // Each window would load two pages for an address bar that nobody sees: a second of processor time for a test.
        // The browser reads the last list alone, so what matters of Playwright's own is named again.
        `--disable-features=${['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', ...PLAYWRIGHT_DISABLES].join()}`,
        ...(asRoot ? ['--no-sandbox'] : []),
      ],
    },
  },
  projects: projects.map(({ testIgnore = [], ...project }) => ({
    ...project,
    testIgnore: [...testIgnore, ...skipped],
  })),
});
