import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';

const TYPES: Readonly<Record<string, string>> = { '.png': 'image/png', '.mp4': 'video/mp4', '.txt': 'text/plain' };

/**
 * Creates an image of noise, about 100 kB, different each time.
 * @returns its path
 */
export function makePicture(folder: string, name: string): string {
  const file = path.join(folder, name);
  const seed = Math.floor(Math.random() * 1e6);
  const noise = `nullsrc=size=320x200,geq=r='mod(random(0)*255+${seed},255)':g='random(1)*255':b='random(2)*255'`;
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', noise, '-frames:v', '1', `file:${file}`]);
  return file;
}

/**
 * Creates a clip of noise, which no codec compresses: 0.4 MB per frame.
 * @returns its path
 */
export function makeLargeClip(folder: string, name: string, frames: number): string {
  const file = path.join(folder, name);
  const noise = `nullsrc=size=640x360:rate=25,geq=random(1)*255:128:128,trim=end_frame=${frames}`;
  const codec = '-c:v libx264 -preset ultrafast -qp 1 -pix_fmt yuv420p'.split(' ');
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', noise, ...codec, `file:${file}`]);
  return file;
}

export function makeText(folder: string, name: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, 'Nothing to see here.');
  return file;
}

/** Creates files like those of a drag from the desktop or of the clipboard. */
const createDataTransfer = (page: Page, files: readonly string[]) =>
  page.evaluateHandle(
    (given) => {
      const transfer = new DataTransfer();
      for (const { name, type, base64 } of given)
        transfer.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name, { type }));
      return transfer;
    },
    files.map((file) => ({
      name: path.basename(file),
      type: TYPES[path.extname(file)] ?? '',
      base64: readFileSync(file).toString('base64'),
    })),
  );

export async function dragFiles(target: Locator, files: readonly string[]): Promise<void> {
  const dataTransfer = await createDataTransfer(target.page(), files);
  await target.dispatchEvent('dragover', { dataTransfer });
}

export async function dropFiles(target: Locator, files: readonly string[]): Promise<void> {
  const dataTransfer = await createDataTransfer(target.page(), files);
  for (const type of ['dragover', 'drop']) await target.dispatchEvent(type, { dataTransfer });
}

export async function pasteFiles(page: Page, files: readonly string[]): Promise<void> {
  const transfer = await createDataTransfer(page, files);
  await page.evaluate((clipboardData) => {
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    (document.activeElement ?? document.body).dispatchEvent(event);
  }, transfer);
}
