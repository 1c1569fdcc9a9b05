import * as z from 'zod/mini';
import { inputContract, modelsForTask, TASKS } from '#contract/catalog.ts';
import { ApiErrorResponse } from './errors.ts';
import { BUILT_IN_TASK_IDS, EXTRA_TASK_IDS } from '#contract/ids.ts';
import { inputSchema } from '#contract/parse-input.ts';
import { Alert } from '#contract/resources/alert.ts';
import { ApprovalRequest } from '#contract/resources/request.ts';
import { Settings } from '#contract/resources/settings.ts';
import { ApiKey, ApiKeyCreated, Me } from '#contract/resources/api-key.ts';
import { Statement, Verification, WhatIf } from '#contract/resources/audit.ts';
import { Batch, BatchEstimate, BatchOrder } from '#contract/resources/batch.ts';
import { BillingSummary, Spending } from '#contract/resources/billing.ts';
import { LedgerEntry, LedgerSums, Reservation } from '#contract/resources/ledger.ts';
import { Budget } from '#contract/resources/budget.ts';
import { Model, Pricing, Task } from '#contract/resources/catalog.ts';
import { Asset, EstimateResponse, Generation, LineItem } from '#contract/resources/generation.ts';
import { Margin } from '#contract/resources/margin.ts';
import {
  Derivatives,
  MediaArchive,
  MediaDeletion,
  MediaDetail,
  MediaItem,
  MediaRestoration,
} from '#contract/resources/media.ts';
import { MediaLineage } from '#contract/resources/media-lineage.ts';
import { Passkey, PasskeyCreationOptions, PasskeyRequestOptions } from '#contract/resources/passkey.ts';
import {
  Invitation,
  InvitationCreated,
  InvitationPreview,
  Person,
  RoleDescription,
} from '#contract/resources/person.ts';
import { Review, UpstreamJob } from '#contract/resources/review.ts';
import { OpenSession, SessionCreated, SignInMethods, SignInTokenCreated } from '#contract/resources/session.ts';
import { ListedUpload, Upload, UploadDetail } from '#contract/resources/upload.ts';
import {
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookEndpoint,
  WebhookEndpointCreated,
  WebhookEvent,
  WebhookSecretRotated,
} from '#contract/resources/webhook.ts';
import {
  WorkflowDraft,
  WorkflowEstimate,
  WorkflowStarter,
  WorkflowValidation,
} from '#contract/resources/workflow-starter.ts';
import { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { WorkflowDefinition } from '#contract/workflows/workflow-definition.ts';

export type Json = Record<string, unknown>;

const components = {
  Alert,
  ApiErrorResponse,
  ApiKey,
  ApiKeyCreated,
  ApprovalRequest,
  PublicAsset: Asset,
  Batch,
  BatchEstimate,
  BatchOrder,
  BillingSummaryResponse: BillingSummary,
  Budget,
  Derivatives,
  EstimateResponse,
  Generation,
  Invitation,
  InvitationCreated,
  InvitationPreview,
  LedgerEntry,
  LedgerSums,
  LineItem,
  Margin,
  Me,
  MediaArchive,
  MediaDeletion,
  MediaRestoration,
  MediaDetail,
  MediaItem,
  MediaLineage,
  Model,
  OpenSession,
  Passkey,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  Person,
  Pricing,
  Reservation,
  Review,
  Role: RoleDescription,
  SessionCreated,
  SignInMethods,
  SignInTokenCreated,
  Settings,
  Spending,
  Statement,
  Task,
  ListedUpload,
  MediaUploadResponse: Upload,
  UploadDetail,
  UpstreamJob,
  Verification,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookEndpoint,
  WebhookEndpointCreated,
  WhatIf,
  WebhookEvent,
  WebhookSecretRotated,
  WorkflowDefinition,
  WorkflowDraft,
  WorkflowEstimate,
  WorkflowRunResponse: WorkflowRun,
  WorkflowStarter,
  WorkflowValidation,
} as const satisfies Record<string, z.ZodMiniType>;

const componentNames = new Map<unknown, string>(Object.entries(components).map(([name, schema]) => [schema, name]));
export const componentRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** @param root the component itself, which is not replaced by a reference */
export const toJsonSchema = (schema: z.ZodMiniType, io: 'input' | 'output', root: unknown = null): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // `format` is enough; zod's pattern for dates is a page long.
      if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern;
      const name = componentNames.get(zodSchema);
      if (!name || zodSchema === root) return;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      Object.assign(jsonSchema, componentRef(name));
    },
  }) as Json;
  return json;
};

const inputSchemaName = (task: string, model: string | null) => [task, model].filter(Boolean).join('.');

/** Every pair of task and model with the name of its input schema. */
const taskModelPairs = () =>
  [...BUILT_IN_TASK_IDS, ...EXTRA_TASK_IDS].flatMap((task) =>
    (modelsForTask(task).length ? modelsForTask(task) : [null]).map((model) => ({
      task,
      model,
      name: inputSchemaName(task, model),
    })),
  );

const buildInputSchemas = () =>
  Object.fromEntries(
    taskModelPairs().flatMap(({ task, model, name }) => {
      const contract = inputContract(task, model);
      if (!contract) return [];
      const rules = contract.rules.map((rule) => rule.message).join(' ');
      const description = [TASKS[task].description, rules].filter(Boolean).join(' ');
      return [[name, { ...toJsonSchema(inputSchema(contract), 'input'), description }]];
    }),
  );

export const generationRequestSchema = (extra: Json) => ({
  oneOf: taskModelPairs().map(({ task, model, name }) => ({
    type: 'object',
    title: name,
    properties: {
      task: { const: task },
      ...(model ? { model: { const: model } } : { model: { type: 'null' } }),
      input: componentRef(name),
      ...extra,
    },
    required: ['task', ...(model ? ['model'] : []), 'input'],
    additionalProperties: false,
  })),
});

function selectReferencedSchemas(paths: Json, schemas: Record<string, Json>): Record<string, Json> {
  const referenced = new Set<string>();
  const follow = (json: Json): void => {
    for (const [, name = ''] of JSON.stringify(json).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      const schema = schemas[name];
      if (referenced.has(name) || !schema) continue;
      referenced.add(name);
      follow(schema);
    }
  };
  follow(paths);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => referenced.has(name)));
}

/** Builds the component schemas that the paths refer to, directly or through other schemas. */
export const buildComponentSchemas = (paths: Json): Record<string, Json> =>
  selectReferencedSchemas(paths, {
    ...Object.fromEntries(
      Object.entries(components).map(([name, schema]) => [name, toJsonSchema(schema, 'output', schema)]),
    ),
    ...buildInputSchemas(),
  });
