import { and, eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AddedPrice } from '#contract/added-models/prices/price-schema.ts';
import { falDocument } from '#contract/added-models/testing/fal-document.ts';
import { RUN_PRICE } from '#contract/added-models/testing/run-price.ts';
import type { AddedModel } from '#contract/resources/added-model.ts';
import { addedModelsFixture } from '#server/models/added-models/testing/added-models-fixture.ts';
import { FAKE_FAL_MODELS, type FakeFalModel } from '#server/models/providers/fal/testing/fake-fal-models.ts';
import { addedModelVersions } from '#server/platform/db/schema/added-model-schema.ts';

const ENDPOINT = 'acme/paid';
const ODD_ENDPOINT = 'acme/odd';
const INHERITED = Object.getOwnPropertyNames(Object.prototype).filter(
  (name) => !['__proto__', 'constructor', 'prototype'].includes(name) && /^[A-Za-z_]/.test(name),
);
const FILE = { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] };
const PAID: FakeFalModel = {
  name: 'Acme Paid',
  category: 'text-to-image',
  description: 'Takes lengths of any form.',
  document: falDocument(
    {
      prompt: { type: 'string' },
      duration: { anyOf: [{ enum: ['5', '10'], type: 'string' }, { type: 'string' }], default: '5' },
      amount: { type: 'integer' },
    },
    { required: ['prompt'], output: { image: FILE } },
  ),
  price: { unit_price: 1, unit: 'seconds' },
  unitsOf: () => 10,
  result: ([image]) => ({ image }),
};
const ODD: FakeFalModel = {
  ...PAID,
  name: 'Acme Odd',
  document: falDocument(
    {
      prompt: { type: 'string' },
      odd: { type: 'strng' },
      ...Object.fromEntries(INHERITED.map((name) => [name, { type: 'string' }])),
    },
    { required: ['prompt'], output: { image: FILE } },
  ),
};
/** A dollar per second, ten seconds at most. */
const PER_SECOND: AddedPrice = {
  ...RUN_PRICE,
  unit: 'second',
  unit_price_micro_usd: 1_000_000,
  quantity: { from: 'field', field: 'duration', largest: 10 },
};

const models = addedModelsFixture();
let paid: AddedModel;
beforeAll(async () => {
  models.record.models = { ...FAKE_FAL_MODELS, [ENDPOINT]: PAID, [ODD_ENDPOINT]: ODD };
  paid = await models.publish(ENDPOINT, { price: PER_SECOND, task: 'image.create' });
});
beforeEach(() => {
  models.record.billing = 'never';
  models.record.billable_units = null;
});

const estimate = (model: AddedModel, input: Record<string, unknown>) =>
  models.service.request('create_estimate', { body: { task: model.task, model: model.id, input } });

describe('paid work', () => {
  it.each([
    ['7s', '7.00'],
    ['00:10', '10.00'],
    ['0x0A', '10.00'],
    ['1e-9', '10.00'],
    ['1.7e308', '10.00'],
  ])('with the length %j reserves its estimate and is charged %s', async (duration, amount_usd) => {
    const input = { prompt: 'a pear', duration };
    expect(await estimate(paid, input)).toMatchObject({ body: { amount_usd } });
    const done = await models.run(paid, input);
    expect(done).toMatchObject({ status: 'succeeded', usage: { amount_usd, billing_status: 'settled' } });
    expect(await models.entriesOf(done.id)).toEqual([
      `RESERVE -${amount_usd}`,
      `RELEASE ${amount_usd}`,
      `SETTLE -${amount_usd}`,
    ]);
  });

  it('above the bound is refused wherever it is ordered, naming the field', async () => {
    const input = { prompt: 'a pear', duration: '11' };
    const refusal = { code: 'invalid_request', details: [{ path: 'input.duration' }] };
    expect(await estimate(paid, input)).toMatchObject({ status: 422, error: refusal });
    expect(await models.order(paid, input)).toMatchObject({ status: 422, error: refusal });
    const orders = [{ task: paid.task, model: paid.id, input }];
    const { body } = await models.service.call('estimate_batch', { body: { orders } });
    expect(body).toMatchObject({ invalid_count: 1, orders: [{ error: { code: 'invalid_request' } }] });
  });

  it('counted by a whole number without bounds stays within the bound', async () => {
    const price: AddedPrice = { ...PER_SECOND, quantity: { from: 'field', field: 'amount', largest: 10 } };
    const model = await models.publish(ENDPOINT, { price, task: 'image.create', name: 'Whole' });
    for (const amount of [0, -1])
      expect(await estimate(model, { prompt: 'x', amount })).toMatchObject({ body: { amount_usd: '10.00' } });
    expect(await estimate(model, { prompt: 'x', amount: 2 ** 53 - 1 })).toMatchObject({ status: 422 });
  });
});

describe('a bill that no run costs', () => {
  it.each(['1e13', '9007199254740993', '1e300', '1.7e308', '-5', 'NaN', '0x10', ' '])(
    'of %j units delivers the result, charges what was reserved and leaves the cost unknown',
    async (units) => {
      models.record.billable_units = units;
      const done = await models.run(paid, { prompt: 'a pear', duration: '5' });
      expect(done).toMatchObject({ status: 'succeeded', usage: { amount_usd: '5.00', billing_status: 'settled' } });
      const { body } = await models.service.call('get_upstream_job', { params: { generation_id: done.id } });
      expect(body).toMatchObject({ cost_usd: null, cost_basis: 'unreadable', state: 'ended' });
    },
  );
});

describe('a price above what a run may cost', () => {
  it('is refused where it is saved, markup included', async () => {
    const price: AddedPrice = { ...PER_SECOND, unit_price_micro_usd: 60_000_000_000 };
    const response = models.create(ENDPOINT, { price, markup_percent: 100 });
    await expect(response).rejects.toMatchObject({ status: 422, details: [{ path: 'price' }] });
  });

  it('that was published before can’t be ordered, and says what to do', async () => {
    const { id, task } = await models.publish(ENDPOINT, { price: PER_SECOND, task: 'image.create', name: 'Old' });
    const price: AddedPrice = { ...PER_SECOND, unit_price_micro_usd: 1_000_000_000_000 };
    const isFirst = and(eq(addedModelVersions.model_id, id), eq(addedModelVersions.version, 1));
    await models.service.deps.db.update(addedModelVersions).set({ price }).where(isFirst);
    const old = await models.change(id, { description: 'Costly' });
    expect(old.bound_usd).toBe('1000000.00');
    const refusal = {
      status: 400,
      error: {
        code: 'model_unavailable',
        message: expect.stringMatching(
          /^Old can’t be ordered until an administrator changes its price\. One run could/,
        ),
      },
    };
    expect(await estimate(old, { prompt: 'x' })).toMatchObject(refusal);
    expect(await models.order({ id, task }, { prompt: 'x' })).toMatchObject(refusal);
  });
});

describe('a schema with names that objects have a use for', () => {
  let odd: AddedModel;
  beforeAll(async () => {
    odd = await models.publish(ODD_ENDPOINT, { price: RUN_PRICE, task: 'image.create' });
  });

  it('takes inputs of these names, and orders without them', async () => {
    expect(odd.contract.fields.map(({ name }) => name)).toEqual(expect.arrayContaining(INHERITED));
    const all = Object.fromEntries(INHERITED.map((name) => [name, 'x']));
    for (const input of [{}, all])
      expect(await estimate(odd, { prompt: 'x', ...input })).toMatchObject({ status: 200 });
  });

  it('leaves an input of an unknown type to the provider', async () => {
    expect(odd.advanced?.names).toContain('odd');
    expect(await estimate(odd, { prompt: 'x', advanced: { odd: { a: 1 } } })).toMatchObject({ status: 200 });
    expect(await estimate(odd, { prompt: 'x', advanced: { other: 1 } })).toMatchObject({ status: 422 });
  });
});

it('leaves a ledger that verifies', async () => {
  expect((await models.service.call('get_verification')).body).toMatchObject({ ok: true });
});
