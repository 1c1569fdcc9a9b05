import type { MediaItem } from '#contract/resources/media.ts';
import { call, uploadFile } from './support/api-client.ts';
import { createTempDirectory } from './support/clips.ts';
import { makePicture } from './support/files.ts';
import { findA11yViolations } from './support/find-a11y-violations.ts';
import { expect, openSignedIn, test } from './support/test.ts';

const folder = createTempDirectory();

test('pads a picture and masks what is new for a model that fills it', async ({ page, service }) => {
  const { id } = await uploadFile(service, makePicture(folder, 'dunes.png'));
  await openSignedIn(page, service, `/library?item=${id}`);
  await page.getByRole('button', { name: 'Expand', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Expand' });
  const side = (name: string) => dialog.getByRole('spinbutton', { name, exact: true });
  await expect(dialog.getByRole('button', { name: 'Continue' })).toBeDisabled();
  await dialog.getByRole('button', { name: '1:1', exact: true }).click();
  await expect(side('Top')).toHaveValue('60');
  await expect(side('Bottom')).toHaveValue('60');
  await dialog.getByRole('button', { name: 'Reset' }).click();
  // By key, and by number.
  const east = dialog.getByRole('button', { name: /the east drag handle/ });
  await east.focus();
  for (let at = 0; at < 3; at += 1) await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(async () => Number(await side('Right').inputValue())).toBeGreaterThan(10);
  await side('Right').fill('80');
  await side('Top').fill('40');
  expect(await findA11yViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Continue' }).click();

  await expect(page).toHaveURL(/\/create\/image\.edit\//);
  await expect(page.getByRole('list', { name: 'Images' })).toContainText('400 × 240');
  await expect(page.getByRole('list', { name: 'Mask' })).toContainText('400 × 240');
  await expect(page.getByRole('button', { name: /^Generate · \$/ })).toBeVisible();
  const { data } = await call<{ data: MediaItem[] }>(service, 'GET', '/v1/media?type=image');
  const made = data.filter(({ width, height }) => width === 400 && height === 240);
  expect(made).toHaveLength(2);
});
