import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Page } from '@playwright/test';
import sharp from 'sharp';
import { uploadFile } from '../support/api-client.ts';
import { fieldSources } from '../support/create-page.ts';
import { longestTaskMs } from './longest-task.ts';
import { openMaskEditor, paintAcross, type Place, pictureSpot } from '../support/mask-page.ts';
import { findChromium } from '../support/requirements.ts';
import { startService } from '../support/service.ts';
import { expect, openSignedIn } from '../support/test.ts';

const WIDTH = 8_660;
const HEIGHT = 5_773;
const RUNS = 3;

/** The least that draws strokes over the same picture. */
const floorPage = (url: string): string =>
  `<!doctype html><style>body{margin:0}img,canvas{position:absolute;width:900px;height:600px}</style>
    <img src="${url}"><canvas width="900" height="600"></canvas><script>
    const canvas = document.querySelector('canvas'), context = canvas.getContext('2d');
    context.lineWidth = 40;
    context.lineCap = 'round';
    let last = null;
    canvas.onpointerdown = ({ offsetX, offsetY }) => (last = [offsetX, offsetY]);
    canvas.onpointerup = () => (last = null);
    canvas.onpointermove = ({ offsetX, offsetY }) => {
      if (!last) return;
      context.beginPath();
      context.moveTo(...last);
      context.lineTo(offsetX, offsetY);
      context.stroke();
      last = [offsetX, offsetY];
    };
    </script>`;

/** Returns the longest task of the page while it is painted, on a processor four times slower. The floor has no keys. */
async function measure(page: Page, spot: Place): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  const tasksMs: number[] = [];
  for (let run = 0; run < RUNS; run += 1) tasksMs.push(await longestTaskMs(page, () => paintAcross(page, spot)));
  return Math.max(...tasksMs);
}

/** Measures painting a mask on a picture of 50 megapixels beside the least that draws lines. */
export async function measurePainting(): Promise<{ oursMs: number; floorMs: number }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'emulsion-bench-'));
  const file = path.join(folder, 'large.jpg');
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const small = await sharp({ create: { width: 866, height: 577, channels: 3, background: '#777', noise } })
    .png()
    .toBuffer();
  await writeFile(file, await sharp(small).resize(WIDTH, HEIGHT, { fit: 'fill' }).jpeg().toBuffer());
  const service = await startService();
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const open = async () => (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    const { id, url } = await uploadFile(service, file);
    const floor = await open();
    await floor.setContent(floorPage(url));
    const floorMs = await measure(floor, (x, y) => ({ x: 900 * x, y: 600 * y }));
    await floor.context().close();

    const page = await open();
    await openSignedIn(page, service, `/library?item=${id}`);
    await page.getByRole('dialog').getByRole('link', { name: 'Edit', exact: true }).click();
    await expect(fieldSources(page, 'Mask')).toBeVisible();
    await openMaskEditor(page);
    return { oursMs: await measure(page, await pictureSpot(page)), floorMs };
  } finally {
    await browser.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
