import { describe, expect, it } from 'vitest';
import { SHARE_PATH } from '#contract/limits.ts';
import { cutForms, NAMELESS_FORMS, ODD_FORMS } from '#server/studio/uploads/testing/odd-forms.ts';
import { createOddFormFixture, FORM_ROUTES } from './testing/odd-form-fixture.ts';

const NAMELESS = 'Each part of the form must have a name.';
const bench = createOddFormFixture();

describe.each(FORM_ROUTES)('%s', (route) => {
  it('refuses each odd form', () => bench.expectRefused(route, ODD_FORMS));

  // After each byte: see `odd-forms.more.test.ts`.
  it('refuses a form that is cut', () =>
    bench.expectRefused(
      route,
      cutForms().filter((_form, at) => at % 20 === 0),
    ));
});

it('a share page refuses each odd form', async () => {
  const { call } = bench.service();
  const { body: collection } = await call('create_collection', { body: { name: 'Shared' } });
  const body = { collection_id: collection.id, asks_for: 'comments', code: 'amber-7' } as const;
  const { url } = (await call('create_share', { body })).body;
  const texts = ['do=%', 'do=enter&name=%00', '='.repeat(5_000), 'do=enter&do=leave', '\0\xff', 'at=99999&page=-1'];
  const contentType = 'application/x-www-form-urlencoded';
  const forms = texts.map((text) => ({ odd: text, contentType, body: Buffer.from(text, 'latin1') }));
  await bench.expectRefused(`POST ${new URL(url ?? '').pathname}`, [...ODD_FORMS, ...forms]);
});

it('only routes of these tables read multipart forms, and no route fails on one', async () => {
  const routes = bench.listRoutes();
  expect(routes).toEqual(expect.arrayContaining([...FORM_ROUTES, `POST ${SHARE_PATH}:token`]));
  const [text, , file] = NAMELESS_FORMS;
  if (!text || !file) throw new Error('These forms are missing.');
  const readers: string[] = [];
  for (const route of routes) {
    if ((await bench.send(route, text)).text.includes(NAMELESS)) readers.push(route);
    expect([route, (await bench.send(route, file)).status < 500]).toEqual([route, true]);
  }
  expect(readers.sort()).toEqual(FORM_ROUTES.toSorted());
});

describe('a part without a name is refused as its compat adapter writes errors', () => {
  const nameless = NAMELESS_FORMS[0] ?? { odd: '', body: Buffer.alloc(0) };

  it('at /v1', async () => {
    const { status, text } = await bench.send('POST /v1/uploads', nameless);
    const error = { code: 'invalid_media_upload', message: NAMELESS };
    expect([status, JSON.parse(text)]).toMatchObject([400, { error }]);
  });

  it('at OpenAI’s API', async () => {
    const { status, text } = await bench.send('POST /compat/openai/v1/images/edits', nameless);
    const error = { message: NAMELESS, type: 'invalid_request_error', param: null, code: 'invalid_media_upload' };
    expect([status, JSON.parse(text)]).toEqual([400, { error }]);
  });

  it('at Replicate’s API', async () => {
    const { status, text } = await bench.send('POST /compat/replicate/v1/files', nameless);
    const error = { detail: NAMELESS, status: 400, type: 'invalid_media_upload' };
    expect([status, JSON.parse(text)]).toMatchObject([400, error]);
  });
});
