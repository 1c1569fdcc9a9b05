import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect } from '@playwright/test';
import type { Collection } from '#contract/resources/collection.ts';
import type { Share } from '#contract/resources/share.ts';
import type { Upload } from '#contract/resources/upload.ts';
import { call, postGeneration, waitForGeneration, uploadFile } from './api-client.ts';
import { makeClip, makeRamp, createTempDirectory } from './clips.ts';
import type { Service } from './service.ts';
import { dialog, heading, press, type View } from './view.ts';

export interface LibrarySeed {
  pictures: readonly Upload[];
  /** 25 frames, each lighter than the previous one. */
  ramp: Upload;
  /** Two seconds, with a tone. */
  clip: Upload;
  edited: string;
  editedAgain: string;
}

const PICTURES = {
  'fig.png': '320x200',
  'pear.png': '200x320',
  'plum.png': '240x240',
  'quince.png': '480x200',
  'rowan.png': '300x240',
  'sloe.png': '320x180',
};

function makePicture(folder: string, name: string, size: string): string {
  const file = path.join(folder, name);
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    `testsrc2=size=${size}`,
    '-frames:v',
    '1',
    `file:${file}`,
  ]);
  return file;
}

/** Seeds the library with uploads and a chain of assets created from them. */
export async function seedLibrary(service: Service): Promise<LibrarySeed> {
  const folder = createTempDirectory();
  const pictures: Upload[] = [];
  for (const [name, size] of Object.entries(PICTURES))
    pictures.push(await uploadFile(service, makePicture(folder, name, size)));
  const ramp = await uploadFile(service, makeRamp(folder, 'ramp.mp4'));
  const clip = await uploadFile(service, makeClip(folder, 'walk.mp4', { seconds: 2 }));
  const edit = async (prompt: string, urls: readonly string[]) => {
    const input = { prompt, images: urls.map((url) => ({ url })) };
    const { id } = await postGeneration(service, { task: 'image.edit', model: 'imgmodel-a-2', input });
    const [asset] = (await waitForGeneration(service, id)).output.assets;
    if (!asset) throw new Error('Nothing was made.');
    return asset;
  };
  const first = await edit(
    'Make it night',
    pictures.slice(0, 2).map(({ url }) => url),
  );
  const second = await edit('Add a moon over the bay', [first.url]);
  const trashed = await uploadFile(service, makePicture(folder, 'medlar.png', '200x200'));
  await call(service, 'POST', '/v1/media/delete', { ids: [trashed.id], to_trash: true });
  return { pictures, ramp, clip, edited: first.id, editedAgain: second.id };
}

export interface CollectionSeed {
  collection: string;
  emptyCollection: string;
  /** Path of a public page of the collection. */
  share: string;
}

/** Adds a collection with files, an empty one, and a public page to a seeded library. */
export async function seedCollections(
  service: Service,
  { pictures, clip, edited }: LibrarySeed,
): Promise<CollectionSeed> {
  const create = async (name: string, description: string) =>
    (await call<Collection>(service, 'POST', '/v1/collections', { name, description })).id;
  const collection = await create('Autumn orchard', 'For the poster.');
  const media_ids = [...pictures.slice(0, 3).map(({ id }) => id), clip.id, edited];
  await call(service, 'POST', `/v1/collections/${collection}/media`, { media_ids });
  const body = { collection_id: collection, title: 'Orchard', show_prompts: true, allow_downloads: true };
  const { url } = await call<Share>(service, 'POST', '/v1/shares', body);
  return { collection, emptyCollection: await create('Winter', ''), share: new URL(url ?? '').pathname };
}

export const collectionViews = (seed: LibrarySeed & CollectionSeed): View[] => [
  {
    name: 'a collection',
    path: `/library?collection=${seed.collection}`,
    reach: async (page) => expect(page.locator('[data-tile]').nth(4)).toBeVisible(),
  },
  {
    name: 'an empty collection',
    path: `/library?collection=${seed.emptyCollection}`,
    reach: heading('This collection is empty'),
  },
  {
    name: 'a collection that is gone',
    path: '/library?collection=col_00000000000000000000000000',
    reach: heading('Collection not found'),
  },
  {
    name: 'the places of the library',
    path: '/library',
    only: 'narrow',
    open: (page) => press(page, /^Go to a part of the library/),
    reach: (page) => expect(page.getByRole('menuitem', { name: 'Autumn orchard' })).toBeVisible(),
  },
  {
    name: 'adding to a collection',
    path: `/library?item=${seed.edited}`,
    open: async (page) => {
      await press(page, 'Add to collection (A)');
      await dialog(page, 'Add to collection');
      await page.getByRole('combobox', { name: 'Find or create a collection' }).fill('n');
    },
    loadsTwice: true,
    reach: (page) => expect(page.getByRole('option', { name: 'Create “n”' })).toBeVisible(),
  },
  {
    name: 'renaming a collection',
    path: `/library?collection=${seed.collection}`,
    open: async (page) => {
      await press(page, 'Rename');
      await press(page, 'Edit notes');
    },
    reach: (page) => expect(page.getByRole('textbox', { name: 'Notes' })).toBeVisible(),
  },
  {
    name: 'sharing a collection',
    path: `/library?collection=${seed.collection}`,
    open: (page) => press(page, 'Share'),
    reach: (page) => dialog(page, 'Share this collection'),
  },
  {
    name: 'shared links',
    path: '/library/shares',
    reach: async (page) => expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible(),
  },
  { name: 'a public page', path: seed.share, reach: heading('Orchard') },
  { name: 'a public page that ended', path: '/s/ended', reach: heading('This link opens nothing') },
];

/** The states of the seeded library that differ most. */
export const libraryViews = (seed: LibrarySeed): View[] => [
  {
    name: 'library',
    path: '/library',
    reach: async (page) => expect(page.locator('[data-tile]').nth(9)).toBeVisible(),
  },
  {
    name: 'library, some are chosen',
    path: '/library?kind=image',
    open: async (page) => {
      await press(page, 'Select items');
      for (const at of [0, 1]) await page.locator('[data-tile]').nth(at).click();
    },
    reach: (page) => expect(page.getByText('2 selected')).toBeVisible(),
  },
  {
    name: 'an open picture',
    path: `/library?item=${seed.edited}`,
    open: async (page) => {
      await dialog(page, 'Make it night');
      // Beside the image there is room for them; on a phone they open on demand.
      if ((page.viewportSize()?.width ?? 0) < 1000) await press(page, /^Details/);
    },
    loadsTwice: true,
    reach: (page) => expect(page.getByText(/^Created from 2 files/)).toBeVisible(),
  },
  {
    name: 'lineage',
    path: `/library?item=${seed.edited}&show=lineage`,
    loadsTwice: true,
    reach: async (page) => expect(page.getByText('Total cost')).toBeVisible(),
  },
  {
    name: 'two compared',
    path: `/library?compare=${seed.pictures[0]?.id},${seed.pictures[1]?.id}`,
    reach: async (page) => expect(page.getByRole('slider', { name: /^Divider/ })).toBeAttached(),
  },
  {
    name: 'the trash, one file is chosen',
    path: '/library/trash',
    open: (page) => page.locator('[data-tile]').first().click(),
    reach: (page) => expect(page.getByText('1 selected')).toBeVisible(),
  },
];

export const emptyLibraryViews: readonly View[] = [
  { name: 'an empty library', path: '/library', reach: heading('No media yet') },
  { name: 'an empty trash', path: '/library/trash', reach: heading('The trash is empty') },
];
