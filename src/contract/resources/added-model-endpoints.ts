import * as z from 'zod/mini';
import {
  defineEndpoints,
  GENERATION_REQUEST_CODES,
  INVALID_REQUEST,
  SERVICE_UNAVAILABLE,
} from '#contract/api/endpoint.ts';
import { line } from '../one-line.ts';
import { jsonObject, listSchema, pathId } from '../primitives.ts';
import {
  AddedModel,
  AddedModelChange,
  AddedModelCreate,
  AddedModelSummary,
  AddedModelUpgrade,
  ModelComparison,
  ModelInspection,
  ModelListing,
  ModelProvider,
  ModelSource,
} from './added-model.ts';
import { Generation } from './generation.ts';

const path = { params: z.object({ model_id: pathId() }) };
const NOT_FOUND = ['not_found'] as const;

export const addedModelEndpoints = defineEndpoints('Added models', {
  list_added_models: {
    summary: 'List added models, removed ones too, newest first',
    status: 200,
    response: listSchema(AddedModelSummary),
    errors: {},
  },
  list_model_providers: {
    summary: 'List the connected providers whose models can be added',
    status: 200,
    response: listSchema(ModelProvider),
    errors: {},
  },
  search_provider_models: {
    summary: 'Search the models of a connected provider',
    body: z.strictObject({ provider_id: pathId(), q: line(200) }),
    status: 200,
    response: listSchema(ModelListing),
    errors: { 400: INVALID_REQUEST, 404: NOT_FOUND, 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
  },
  inspect_model: {
    summary: 'See the form that the schema of a model makes',
    body: ModelSource,
    status: 200,
    response: ModelInspection,
    errors: { 400: INVALID_REQUEST, 404: NOT_FOUND, 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
  },
  create_added_model: {
    summary: 'Add a model as a draft',
    body: AddedModelCreate,
    status: 201,
    response: AddedModel,
    errors: {
      400: INVALID_REQUEST,
      404: NOT_FOUND,
      409: ['schema_changed'],
      422: INVALID_REQUEST,
      503: SERVICE_UNAVAILABLE,
    },
  },
  get_added_model: {
    ...path,
    summary: 'Read an added model',
    status: 200,
    response: AddedModel,
    errors: { 404: NOT_FOUND, 422: INVALID_REQUEST },
  },
  update_added_model: {
    ...path,
    summary: 'Publish, pause, rename or reprice an added model',
    body: AddedModelChange,
    status: 200,
    response: AddedModel,
    errors: { 404: NOT_FOUND, 422: INVALID_REQUEST },
  },
  test_added_model: {
    ...path,
    summary: 'Run an added model once, at its price',
    body: z.strictObject({ input: jsonObject() }),
    idempotency: 'required',
    status: 201,
    response: Generation,
    errors: {
      400: [...GENERATION_REQUEST_CODES, 'idempotency_key_required'],
      402: ['insufficient_balance'],
      404: NOT_FOUND,
      409: ['idempotency_conflict'],
      422: INVALID_REQUEST,
      503: SERVICE_UNAVAILABLE,
    },
  },
  compare_added_model: {
    ...path,
    summary: 'Compare an added model with what its provider has now',
    status: 200,
    response: ModelComparison,
    errors: { 400: INVALID_REQUEST, 404: NOT_FOUND, 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
  },
  upgrade_added_model: {
    ...path,
    summary: 'Replace the schema of an added model by the current one',
    body: AddedModelUpgrade,
    status: 200,
    response: AddedModel,
    errors: {
      400: INVALID_REQUEST,
      404: NOT_FOUND,
      409: ['schema_changed'],
      422: INVALID_REQUEST,
      503: SERVICE_UNAVAILABLE,
    },
  },
  remove_added_model: {
    ...path,
    summary: 'Remove an added model for good',
    status: 204,
    response: null,
    errors: { 404: NOT_FOUND, 422: INVALID_REQUEST },
  },
});
