import type { Page } from '@playwright/test';

export const uploadDock = (page: Page) => page.getByRole('region', { name: 'Upload progress' });
export const uploadRows = (page: Page) => page.getByRole('list', { name: 'Uploads' }).getByRole('listitem');
export const openUpload = (page: Page) => page.getByRole('dialog');
export const mainRegion = (page: Page) => page.getByRole('main');

/** Limits the upload speed of the page, or takes it offline. */
export async function throttleUploads(page: Page, kilobytesPerSecond: number | 'offline' | 'fast'): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const offline = kilobytesPerSecond === 'offline';
  const uploadThroughput = typeof kilobytesPerSecond === 'number' ? kilobytesPerSecond * 1000 : -1;
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput,
  });
}

export async function chooseFiles(page: Page, files: string[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await mainRegion(page).getByRole('button', { name: 'Upload', exact: true }).click();
  await (await chooser).setFiles(files);
}
