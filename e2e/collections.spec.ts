import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page, Route } from '@playwright/test';
import type { Alert } from '#contract/resources/alert.ts';
import type { Collection } from '#contract/resources/collection.ts';
import { addBill, call, postGeneration, uploadFile, waitForGeneration } from './support/api-client.ts';
import { createTempDirectory } from './support/clips.ts';
import { makePicture } from './support/files.ts';
import { test } from './support/fake-webhook-receiver-test.ts';
import { addPerson } from './support/people.ts';
import type { Service } from './support/service.ts';
import { expect, openSignedIn } from './support/test.ts';
import { register } from './support/webhook-pages.ts';
import { ensureStarter, postRun, SLOW_WORKFLOW } from './support/workflow-fixture.ts';

interface CollectionPage {
  /** Accessible name of the list; that of the row below by default. */
  label?: string;
  path: string;
  /** Of the list. */
  requests: RegExp;
  /** "No runs yet" */
  empty: string;
  /** A filter that matches nothing; undefined: the list has only ways to show it. */
  filter?: string;
  rows: number;
}

interface Seed {
  /** Of webhooks. */
  endpoint: string;
  /** Of files. */
  collection: string;
  /** Of a provider. */
  bill: string;
}

/** Every definition, by file and the names of its list. A list that is missing here fails the first test. */
const collections = ({ endpoint, collection, bill }: Seed): Record<string, Record<string, CollectionPage>> => ({
  'src/web/features/library/library-collection.tsx': {
    Media: { path: '/library', requests: /\/v1\/media\?/, empty: 'No media yet', filter: 'q=walrus', rows: 3 },
    Starred: {
      label: 'Media',
      path: '/library?starred=true',
      requests: /\/v1\/media\?/,
      empty: 'Nothing matches',
      filter: 'q=walrus',
      rows: 3,
    },
    'A collection': {
      label: 'Media',
      path: `/library?collection=${collection}`,
      requests: /\/v1\/media\?/,
      empty: 'This collection is empty',
      filter: 'q=walrus',
      rows: 1,
    },
    Uploads: {
      path: '/uploads',
      requests: /\/v1\/media\?.*origin=upload/,
      empty: 'Drop your files here',
      filter: 'q=walrus',
      rows: 2,
    },
    'Deleted files': {
      path: '/library/trash',
      requests: /\/v1\/media\?.*in_trash=true/,
      empty: 'The trash is empty',
      filter: 'q=walrus',
      rows: 1,
    },
  },
  'src/web/features/generations/generation-collection.tsx': {
    Generations: {
      path: '/generations',
      requests: /\/v1\/generations\?/,
      empty: 'No generations yet',
      filter: 'q=walrus',
      rows: 1,
    },
  },
  'src/web/features/batches/batch-list.tsx': {
    Batches: {
      path: '/batches',
      requests: /\/v1\/batches\?/,
      empty: 'No batches yet',
      filter: 'state=paused',
      rows: 1,
    },
  },
  'src/web/features/workflows/runs/workflow-runs.tsx': {
    Runs: {
      path: '/workflows?part=runs',
      requests: /\/v1\/workflow-runs\?/,
      empty: 'No runs yet',
      filter: 'status=queued',
      rows: 1,
    },
  },
  'src/web/features/billing/ledger/ledger-collection.tsx': {
    Charges: {
      path: '/billing?part=ledger',
      requests: /\/v1\/billing\/ledger\/lines\?/,
      empty: 'No entries yet',
      filter: 'type=ADJUSTMENT',
      rows: 2,
    },
    Entries: {
      path: '/billing?part=ledger&ledger=entries',
      requests: /\/v1\/billing\/ledger\?/,
      empty: 'No entries yet',
      filter: 'type=ADJUSTMENT',
      rows: 3,
    },
  },
  'src/web/features/billing/close/month-providers.tsx': {
    Providers: {
      path: '/billing?part=close&month=2026-10',
      requests: /\/v1\/billing\/close\?/,
      empty: 'Nothing to compare',
      rows: 1,
    },
  },
  'src/web/features/billing/close/finding-collection.tsx': {
    Findings: {
      path: '/billing?part=close&month=2026-10&provider=file:painter',
      requests: /\/v1\/billing\/close\/findings\?/,
      empty: 'Nothing to compare yet',
      filter: 'q=walrus',
      rows: 2,
    },
  },
  'src/web/features/billing/close/bill-details.tsx': {
    Lines: {
      path: `/billing?part=close&bill=${bill}`,
      requests: /\/v1\/billing\/bills\/[^/]+\/lines\?/,
      empty: 'No lines yet',
      rows: 2,
    },
  },
  'src/web/features/audit/audit-page.tsx': {
    Events: {
      path: '/audit',
      requests: /\/v1\/audit-events\?/,
      empty: 'No events yet',
      filter: 'about=passkey',
      rows: 2,
    },
  },
  'src/web/features/webhooks/deliveries.tsx': {
    Deliveries: {
      path: `/webhooks/${endpoint}`,
      requests: /\/deliveries\?/,
      empty: 'No deliveries yet',
      filter: 'deliveries=failed',
      rows: 1,
    },
  },
  'src/web/features/alerts/alerts-page.tsx': {
    Alerts: {
      path: '/alerts',
      requests: /\/v1\/alerts\?.*limit=50/,
      empty: 'No open alerts',
      filter: 'cause=low_disk_space',
      rows: 1,
    },
  },
  'src/web/features/people/people-page.tsx': {
    People: { path: '/people', requests: /\/v1\/people\?.*status=/, empty: 'Nobody has an account yet', rows: 1 },
  },
  'src/web/features/keys/key-list.tsx': {
    Keys: { path: '/keys', requests: /\/v1\/api-keys$/, empty: 'No keys yet', rows: 1 },
  },
});

/** As a month without providers too, whose list is part of it. */
const listOf = (data: readonly unknown[]) => ({
  object: 'list',
  data,
  has_more: false,
  next_cursor: null,
  month: '2026-10',
  status: 'open',
  closed: null,
  problems: [],
});

/** Alerts are raised once a minute, which a test need not wait for. */
const ALERT: Alert = {
  id: 'alt_00000000000000000000000001',
  object: 'alert',
  kind: 'low_balance',
  status: 'open',
  message: '$100.00 are available, less than $500.00.',
  subject: null,
  period: '2026-11-23',
  raised_at: '2026-11-23T10:00:00.000Z',
  acknowledged_at: null,
  acknowledged_by: null,
  resolved_at: null,
};

let seeded: Promise<Seed> | undefined;

/** Makes a row for each list. */
const seed = (service: Service, url: string): Promise<Seed> =>
  (seeded ??= (async () => {
    const order = { task: 'image.create', model: 'imgmodel-b-2-lite', input: { prompt: 'A heron' } } as const;
    const endpoint = await register(service, url);
    await addPerson(service, 'member', 'Ana Lim');
    await waitForGeneration(service, (await postGeneration(service, order)).id);
    await call(service, 'POST', '/v1/batches', { mode: 'list', orders: [order] });
    await ensureStarter(service, SLOW_WORKFLOW);
    await postRun(service, SLOW_WORKFLOW.slug, {});
    const folder = createTempDirectory();
    const names = ['fig.png', 'pear.png', 'medlar.png'];
    const [fig, , medlar] = await Promise.all(names.map((name) => uploadFile(service, makePicture(folder, name))));
    await call(service, 'POST', '/v1/media/delete', { ids: [medlar?.id], to_trash: true });
    const { id: collection } = await call<Collection>(service, 'POST', '/v1/collections', { name: 'Orchard' });
    await call(service, 'POST', `/v1/collections/${collection}/media`, { media_ids: [fig?.id] });
    return { endpoint, collection, bill: await addBill(service, 'Date,Cost\n2026-10-01,1\n2026-10-02,2\n') };
  })());

const FORBIDDEN = {
  status: 403,
  json: { error: { code: 'permission_denied', message: 'Not now.', details: [], request_id: 'req_1' } },
};

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
}

/** Walks a list through loading, failing, empty, without a match, and with rows, which j and k move through. */
async function walk(page: Page, name: string, view: CollectionPage) {
  const { label = name, path: address, requests, empty, filter, rows } = view;
  const held = Promise.withResolvers<undefined>();
  let answer = async (route: Route) => {
    await held.promise;
    await route.fulfill(FORBIDDEN);
  };
  await page.route(requests, (route) => answer(route));
  const main = page.getByRole('main');
  const heading = (title: string | RegExp) => main.getByRole('heading', { name: title });

  await page.goto(address);
  await expect(main.getByText(`Loading ${label.toLowerCase()}`)).toBeAttached();
  held.resolve(undefined);
  await expect(heading(/could not be loaded$/)).toBeVisible();
  await expectNoSidewaysScroll(page);

  answer = (route) => route.fulfill({ json: listOf([]) });
  await main.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
  await expect(heading(empty)).toBeVisible();
  await expectNoSidewaysScroll(page);

  if (filter !== undefined) {
    await page.goto(`${address}${address.includes('?') ? '&' : '?'}${filter}`);
    await expect(heading('Nothing matches')).toBeVisible();
    await expectNoSidewaysScroll(page);
  }
  answer = (route) => (label === 'Alerts' ? route.fulfill({ json: listOf([ALERT]) }) : route.continue());
  if (filter === undefined) await page.reload();
  else await main.getByRole('button', { name: 'Clear filters' }).click();
  if (filter !== undefined) await expect(page).not.toHaveURL(new RegExp(filter));
  const list = main.getByRole(label === 'Charges' || label === 'Entries' ? 'table' : 'list', {
    name: label,
    exact: true,
  });
  const row = list.locator('[data-row-id]');
  await expect.poll(() => row.count()).toBeGreaterThanOrEqual(rows);
  await expectNoSidewaysScroll(page);
  await page.evaluate(() =>
    document.activeElement instanceof HTMLElement ? document.activeElement.blur() : undefined,
  );
  await page.keyboard.press('j');
  await expect(list.locator('[data-row-id]:focus, [data-row-id] :focus')).toHaveCount(1);
  await page.unroute(requests);
}

test('names every definition of a list', () => {
  const root = path.join(import.meta.dirname, '..');
  const defined = readdirSync(path.join(root, 'src/web/features'), { recursive: true, encoding: 'utf8' })
    .map((file) => path.join('src/web/features', file))
    .filter(
      (file) => file.endsWith('.tsx') && readFileSync(path.join(root, file), 'utf8').includes('defineCollection({'),
    );
  expect(Object.keys(collections({ endpoint: '', collection: '', bill: '' })).toSorted()).toEqual(defined.toSorted());
});

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const)
  test(`every list loads, fails, is empty, finds nothing, and is walked by keys, ${width} px wide`, async ({
    page,
    service,
    receiver,
  }) => {
    const rows = await seed(service, receiver.url('/lists'));
    await page.setViewportSize({ width, height });
    await openSignedIn(page, service, '/docs');
    for (const lists of Object.values(collections(rows)))
      for (const [name, view] of Object.entries(lists)) await test.step(name, () => walk(page, name, view));
  });
