import type { Locator, Page, Route } from '@playwright/test';
import { call, fetchLedger, postGeneration, uploadFile, waitForGeneration } from './support/api-client.ts';
import { makeClip, createTempDirectory } from './support/clips.ts';
import { expect, openSignedIn, test } from './support/test.ts';
import { ensureStarter, FAILING_WORKFLOW, fetchRun, postRun, waitForRunEnd } from './support/workflow-fixture.ts';

/** Waits for the next frames and for what moves on purpose, such as a dialog that opens. */
const settle = (page: Page) =>
  page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const moving = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity);
    await Promise.allSettled(moving.map(({ finished }) => finished));
  });

/** Where each visible control of a panel is, by what it is called. */
const controls = (panel: Locator) =>
  panel.evaluateAll((panels) => {
    const known = (globalThis as { tops?: Map<Element, number> }).tops ?? new Map<Element, number>();
    Object.assign(globalThis, { tops: known });
    const moved: string[] = [];
    for (const control of panels.flatMap((each) => [...each.querySelectorAll('a, button, summary')])) {
      if (!control.checkVisibility({ visibilityProperty: true })) continue;
      const top = Math.round(control.getBoundingClientRect().top);
      const before = known.get(control) ?? top;
      if (Math.abs(before - top) > 1)
        moved.push(`${control.getAttribute('aria-label') ?? control.textContent}: ${before} → ${top}`);
      known.set(control, top);
    }
    return moved;
  });

/** Answers the requests of a page one after the other, and fails if a control that was there moves. */
async function expectControlsInPlace(page: Page, path: string, panel: Locator, last: Locator): Promise<void> {
  const held: Route[] = [];
  await page.route('**/v1/**', async (route) => {
    const isStream = (route.request().headers()['accept'] ?? '').includes('event-stream');
    if (isStream || route.request().method() !== 'GET') await route.continue();
    else held.push(route);
  });
  await page.goto(path);
  for (;;) {
    const route = held.shift();
    if (route) {
      await route.continue();
      await (await route.request().response())?.finished();
    }
    await settle(page);
    expect(await controls(panel), `${path} after ${route?.request().url()}`).toEqual([]);
    if (!route && held.length === 0 && (await last.isVisible())) break;
  }
  await page.unroute('**/v1/**');
}

test('keep their controls in place while they load', async ({ page, service }) => {
  await call(service, 'PUT', '/v1/tags/campaign', { label: 'Campaign', required: false, values: null });
  const order = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'Three pears' } };
  const first = await postGeneration(service, { ...order, metadata: { campaign: 'spring' } });
  const picture = await waitForGeneration(service, first.id);
  const media = picture.output.assets[0]?.id ?? '';
  const images = [{ url: picture.output.assets[0]?.url }];
  const edit = { task: 'image.edit', model: 'imgmodel-a-2', input: { prompt: 'Add a plum', images } };
  await waitForGeneration(service, (await postGeneration(service, edit)).id);
  const clip = await uploadFile(service, makeClip(createTempDirectory(), 'short.mp4', { seconds: 1 }));
  await ensureStarter(service, FAILING_WORKFLOW);
  const run = await postRun(service, FAILING_WORKFLOW.slug, { prompt: 'A fox', video: { url: clip.url } });
  await waitForRunEnd(service, run.id);
  const steps = (await fetchRun(service, run.id)).steps;
  const ofRun = steps.flatMap(({ generation_id: id }) => (id ? [id] : []));
  const [entry] = await fetchLedger(service);
  await openSignedIn(page, service, '/settings');

  const generation = page.getByRole('complementary', { name: 'Open generation' });
  for (const id of [first.id, ...ofRun])
    await expectControlsInPlace(page, `/generations/${id}`, generation, generation.getByText('JSON', { exact: true }));
  const details = page.getByRole('dialog');
  const credentials = details.getByText('Content credentials', { exact: true });
  await expectControlsInPlace(page, `/library?item=${media}`, details, credentials);
  const charge = page.getByRole('complementary', { name: 'Open entry' });
  const chain = charge.getByRole('heading', { name: 'Entry', exact: true });
  await expectControlsInPlace(page, `/billing?part=ledger&open=${entry?.id}`, charge, chain);
  const step = page.getByRole('complementary', { name: 'Open step' });
  const facts = step.getByRole('heading', { name: 'Details' });
  await expectControlsInPlace(page, `/workflows/runs/${run.id}?step=${steps[0]?.key}`, step, facts);
});
