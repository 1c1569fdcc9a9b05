import type { Page } from '@playwright/test';
import { postGeneration, waitForGeneration } from './api-client.ts';
import { alertViews, emptyAlertViews, seedAlert } from './alert-views.ts';
import { batchViews, emptyBatchViews, seedBatches, signedOutBatchViews } from './batch-views.ts';
import { collectionViews, emptyLibraryViews, libraryViews, seedCollections, seedLibrary } from './library-views.ts';
import { test } from './fake-image-provider-test.ts';
import { providerViews, seedProvider, signedOutProviderViews } from './provider-views.ts';
import { type Seed, seedService } from './seed.ts';
import { openSignedIn } from './test.ts';
import type { View } from './view.ts';
import { emptyViews, seededViews, signedOutViews } from './views.ts';
import {
  emptyWebhookViews,
  signedOutWebhookViews,
  seedWebhooks,
  webhookEnvironment,
  webhookViews,
} from './webhook-views.ts';
import {
  emptyWorkflowViews,
  signedOutWorkflowViews,
  cancelSeededRun,
  seedWorkflows,
  workflowViews,
} from './workflow-views.ts';

/** Declares the tests of a walk through all views; `examineAll` looks at some of them. */
export function walkViews(
  examineAll: (page: Page, views: readonly View[]) => Promise<void>,
  { parts }: { parts: number },
): void {
  // Many views in one go: the longest of all tests, so that they share the workers.
  test.describe.configure({ mode: 'parallel', timeout: 600_000 });
  test.use({
    contextOptions: { reducedMotion: 'reduce' },
    environment: async ({ painter }, use) => use({ ...painter.environment, ...webhookEnvironment }),
  });

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
  for (let part = 0; part < parts; part += 1)
    test(`everything else, part ${part + 1} of ${parts}`, async ({ page, service, painter }) => {
      painter.result = 'a picture';
      const order = { task: 'image.create', model: 'imgmodel-b-2', input: { prompt: 'A kite over dunes' } };
      await waitForGeneration(service, (await postGeneration(service, order)).id);
      painter.result = 'nothing';
      const seed: Seed = await seedService(service);
      await openSignedIn(page, service, '/settings');
      const views = seededViews(seed);
      const share = Math.ceil(views.length / parts);
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
}
