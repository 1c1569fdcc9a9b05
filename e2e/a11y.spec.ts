import type { Page } from '@playwright/test';
import { postGeneration, waitForGeneration } from './support/api-client.ts';
import { alertViews, emptyAlertViews, seedAlert } from './support/alert-views.ts';
import { batchViews, emptyBatchViews, seedBatches, signedOutBatchViews } from './support/batch-views.ts';
import { findA11yViolations, turn } from './support/find-a11y-violations.ts';
import {
  collectionViews,
  emptyLibraryViews,
  libraryViews,
  seedCollections,
  seedLibrary,
} from './support/library-views.ts';
import { test } from './support/fake-image-provider-test.ts';
import { providerViews, seedProvider, signedOutProviderViews } from './support/provider-views.ts';
import { type Seed, seedService } from './support/seed.ts';
import { expect, openSignedIn } from './support/test.ts';
import type { View } from './support/view.ts';
import { emptyViews, seededViews, signedOutViews } from './support/views.ts';
import {
  emptyWebhookViews,
  signedOutWebhookViews,
  seedWebhooks,
  webhookEnvironment,
  webhookViews,
} from './support/webhook-views.ts';
import {
  emptyWorkflowViews,
  signedOutWorkflowViews,
  cancelSeededRun,
  seedWorkflows,
  workflowViews,
} from './support/workflow-views.ts';

const WIDTHS = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const;
const SCHEMES = { wide: 'light', narrow: 'dark' } as const;
const NARROWEST_PX = 360;

// Many views in one go: the longest of all tests, so that they share the workers.
test.describe.configure({ mode: 'parallel', timeout: 600_000 });
test.use({
  contextOptions: { reducedMotion: 'reduce' },
  environment: async ({ painter }, use) => use({ ...painter.environment, ...webhookEnvironment }),
});

async function load(page: Page, view: View, width: keyof typeof WIDTHS): Promise<void> {
  await page.setViewportSize(WIDTHS[width]);
  await page.emulateMedia({ colorScheme: SCHEMES[width] });
  await page.goto(view.path);
  await view.open?.(page);
  await view.reach(page);
}

async function examineWide(page: Page, view: View): Promise<void> {
  await load(page, view, 'wide');
  expect.soft(await findA11yViolations(page), `${view.name}, wide`).toEqual([]);
  if (view.only !== 'wide') return;
  await turn(page, 'dark');
  expect.soft(await findA11yViolations(page, ['color-contrast']), `${view.name}, dark`).toEqual([]);
}

async function examineNarrow(page: Page, view: View): Promise<void> {
  if (view.only === 'narrow' || view.loadsTwice) await load(page, view, 'narrow');
  else {
    await page.setViewportSize(WIDTHS.narrow);
    await turn(page, SCHEMES.narrow);
    await view.reach(page);
  }
  expect.soft(await findA11yViolations(page), `${view.name}, narrow`).toEqual([]);
  await page.setViewportSize({ width: NARROWEST_PX, height: 740 });
  const widePx = await page.evaluate(() => document.documentElement.scrollWidth);
  expect.soft(widePx, `${view.name}: how wide it is at ${NARROWEST_PX} px`).toBeLessThanOrEqual(NARROWEST_PX);
}

/**
 * Looks at each view in full: wide in light, narrow in the dark, and how narrow it gets. What exists wide only has its
 * colours judged in the dark too.
 */
async function examineAll(page: Page, views: readonly View[]): Promise<void> {
  for (const view of views)
    await test.step(view.name, async () => {
      if (view.only !== 'narrow') await examineWide(page, view);
      if (view.only !== 'wide') await examineNarrow(page, view);
    });
}

test('signed out', async ({ page }) =>
  examineAll(page, [
    ...signedOutViews,
    ...signedOutWebhookViews,
    ...signedOutWorkflowViews,
    ...signedOutProviderViews,
    ...signedOutBatchViews,
  ]));

test('before anything was made', async ({ page, service }) => {
  await openSignedIn(page, service, '/settings');
  await examineAll(page, [
    ...emptyViews,
    ...emptyWebhookViews,
    ...emptyWorkflowViews,
    ...emptyLibraryViews,
    ...emptyAlertViews,
    ...emptyBatchViews,
  ]);
});

// Several tests, so that they run at the same time.
const PARTS = [0, 1, 2, 3];
for (const part of PARTS)
  test(`everything else, part ${part + 1} of ${PARTS.length}`, async ({ page, service, painter }) => {
    painter.result = 'a picture';
    const order = { task: 'image.create', model: 'imgmodel-b-2', input: { prompt: 'A kite over dunes' } };
    await waitForGeneration(service, (await postGeneration(service, order)).id);
    painter.result = 'nothing';
    const seed: Seed = await seedService(service);
    await openSignedIn(page, service, '/settings');
    const views = seededViews(seed);
    const share = Math.ceil(views.length / PARTS.length);
    await examineAll(page, views.slice(part * share, (part + 1) * share));
  });

// After those that need a service where nothing is yet.
test('webhooks', async ({ page, service }) => {
  const seed = await seedWebhooks(service);
  await openSignedIn(page, service, '/settings');
  await examineAll(page, webhookViews(seed));
});

test('providers and alerts', async ({ page, service }) => {
  const seed = await seedProvider(service);
  await seedAlert(service);
  await openSignedIn(page, service, '/settings');
  await examineAll(page, [...providerViews(seed), ...alertViews]);
  await seed.close();
});

test('workflows', async ({ page, service }) => {
  const seed = await seedWorkflows(service);
  await openSignedIn(page, service, '/settings');
  await examineAll(page, workflowViews(seed));
  await cancelSeededRun(service, seed);
});

test('batches', async ({ page, service }) => {
  const seed = await seedBatches(service);
  await openSignedIn(page, service, '/settings');
  await examineAll(page, batchViews(seed));
});

test('library', async ({ page, service }) => {
  const seed = await seedLibrary(service);
  await openSignedIn(page, service, '/settings');
  await examineAll(page, libraryViews(seed));
  await examineAll(page, collectionViews({ ...seed, ...(await seedCollections(service, seed)) }));
});
