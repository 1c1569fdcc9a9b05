import type { IncomingMessage } from 'node:http';
import { createFakeBilling, type FakeBilling as FakeFalBills } from './fake-fal-bills.ts';
import type { FakeBilling } from './fake-fal-catalog.ts';
import { FAKE_FAL_MODELS, type FakeFalModel, type FakeFalModels } from './fake-fal-models.ts';

export interface FakeFalRecord {
  /** The models that can be added. A test that replaces them changes models at the provider. */
  models: FakeFalModels;
  submits: { path: string; headers: IncomingMessage['headers']; input: Record<string, unknown> }[];
  uploads: {
    content_type: string;
    file_name: string;
    headers: IncomingMessage['headers'];
    bytes: Buffer;
    whole: boolean;
  }[];
  /** Extra properties of the result. */
  extra: Record<string, unknown>;
  /** Sent with each result; null: none. */
  billable_units: string | null;
  /** Where `billable_units` is null, of the models that can be added. */
  billing: FakeBilling;
  /** What the account owes for what was ordered. */
  bills: FakeFalBills;
  /** Price of a unit of every endpoint of the preset. */
  unit_price: number;
  /** Lines of a running job. */
  logs: string[];
  /** Why the account is locked; null: it is not. */
  locked: string | null;
  /** Endpoints by job. */
  endpoints: Map<string, string>;
  /** When they were ordered. */
  ordered: Map<string, Date>;
  /** How often results were read, by job. */
  reads: Map<string, number>;
}

export const createFakeFalRecord = (): FakeFalRecord => ({
  models: FAKE_FAL_MODELS,
  submits: [],
  uploads: [],
  extra: {},
  billable_units: null,
  billing: 'as_listed',
  bills: createFakeBilling(),
  unit_price: 0.5,
  logs: [],
  locked: null,
  endpoints: new Map(),
  ordered: new Map(),
  reads: new Map(),
});

export const findModel = ({ models }: FakeFalRecord, endpoint: string): FakeFalModel | undefined =>
  Object.hasOwn(models, endpoint) ? models[endpoint] : undefined;
