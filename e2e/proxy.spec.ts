import { createTempDirectory } from './support/clips.ts';
import { makeLargeClip } from './support/files.ts';
import { type LimitingProxy, startLimitingProxy } from './support/limiting-proxy.ts';
import { startService } from './support/service.ts';
import { expect, openSignedIn, test as base } from './support/test.ts';
import { chooseFiles, uploadDock } from './support/upload-page.ts';

const test = base.extend<{ limits: LimitingProxy }>({
  limits: async ({}, use) => {
    const proxy = await startLimitingProxy();
    await use(proxy);
    await proxy.close();
  },
  service: async ({ limits: proxy }, use) => {
    const service = await startService({ PUBLIC_URL: proxy.url });
    proxy.forwardTo(service.url);
    await use({ ...service, url: proxy.url });
    await service.stop();
  },
});

const folder = createTempDirectory();

test('tells what a proxy in front of the service rejects, and uploads in smaller parts through it', async ({
  page,
  limits: proxy,
  service,
}) => {
  const clip = makeLargeClip(folder, 'large.mp4', 30);
  await openSignedIn(page, service, '/uploads');

  await test.step('a file above its limit is uploaded in parts that fit', async () => {
    await chooseFiles(page, [clip]);
    await expect(uploadDock(page)).toContainText('1 file uploaded');
    expect(proxy.rejected.length).toBeGreaterThan(0);
    const rejectedCount = proxy.rejected.length;
    await chooseFiles(page, [makeLargeClip(folder, 'second.mp4', 8)]);
    await expect(uploadDock(page)).toContainText('2 files uploaded');
    expect(proxy.rejected).toHaveLength(rejectedCount);
  });

  await test.step('a limit below the smallest part is told', async () => {
    proxy.maxBytes = 1_000;
    await chooseFiles(page, [makeLargeClip(folder, 'third.mp4', 5)]);
    await expect(uploadDock(page)).toContainText('limits the size of requests');
    await expect(uploadDock(page)).toContainText('client_max_body_size');
    await expect(uploadDock(page)).toContainText('The file is still here.');
    proxy.maxBytes = 1_048_576;
    await uploadDock(page).getByRole('button', { name: 'Retry third.mp4' }).click();
    await expect(uploadDock(page)).toContainText('3 files uploaded');
  });

  await test.step('a service that it can’t reach is told, and loads again', async () => {
    proxy.isUp = false;
    await page.getByRole('link', { name: 'Billing' }).first().click();
    await expect(page.getByText('The proxy in front of the service can’t reach it.').first()).toBeVisible();
    proxy.isUp = true;
    // Each part of the page has its own.
    await expect(async () => {
      await page.getByRole('button', { name: 'Try again' }).first().click();
      await expect(page.getByText('The proxy in front of the service can’t reach it.')).toHaveCount(0, {
        timeout: 2_000,
      });
    }).toPass();
  });
});
