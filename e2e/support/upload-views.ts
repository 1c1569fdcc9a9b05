import { expect } from '@playwright/test';
import type { Seed } from './seed.ts';
import { dialog, heading, press, text, type View } from './view.ts';

export const uploadViews = ({ clip }: Seed): View[] => [
  {
    name: 'uploads: one is chosen, and a file was not taken',
    path: '/uploads',
    open: async (page) => {
      await page.getByRole('checkbox', { name: 'Select a walk.mp4' }).first().check();
      const note = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('Nothing to see here.') };
      await page.getByRole('main').locator('input[type=file]').setInputFiles(note);
      await text('1 upload failed')(page);
      const show = page.getByRole('button', { name: 'Show list' });
      if (await show.isVisible()) await show.click();
    },
    loadsTwice: true,
    reach: (page) =>
      expect(page.getByRole('list', { name: 'Files' })).toContainText('This is not an image, video or audio file.'),
  },
  {
    name: 'an upload',
    path: `/uploads/${clip.id}`,
    open: async (page) => {
      await dialog(page, 'a walk.mp4');
      // Beside the file there is room for them; on a phone they open on demand.
      if ((page.viewportSize()?.width ?? 0) < 1000) await press(page, /^Details/);
    },
    loadsTwice: true,
    reach: text('Link expires'),
  },
];

export const emptyUploadViews: readonly View[] = [
  { name: 'nothing uploaded', path: '/uploads', reach: heading('Drop your files here') },
];
