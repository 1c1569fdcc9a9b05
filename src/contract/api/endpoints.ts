import type * as z from 'zod/mini';
import type { EndpointSpec } from './endpoint.ts';
import type { ENDPOINT_ROUTES } from './endpoint-routes.ts';
import { addedModelEndpoints } from '#contract/resources/added-model-endpoints.ts';
import { activityEndpoints } from '#contract/resources/activity.ts';
import { alertEndpoints } from '#contract/resources/alert.ts';
import { keyEndpoints } from '#contract/resources/api-key.ts';
import { auditEventEndpoints } from '#contract/resources/audit-event.ts';
import { auditEndpoints } from '#contract/resources/audit.ts';
import { batchEndpoints } from '#contract/resources/batch.ts';
import { billingEndpoints } from '#contract/resources/billing.ts';
import { budgetEndpoints } from '#contract/resources/budget.ts';
import { catalogEndpoints } from '#contract/resources/catalog.ts';
import { closingEndpoints } from '#contract/resources/closing.ts';
import { collectionEndpoints } from '#contract/resources/collection.ts';
import { credentialEndpoints } from '#contract/resources/credentials.ts';
import { generationEndpoints } from '#contract/resources/generation.ts';
import { ledgerEndpoints } from '#contract/resources/ledger.ts';
import { marginEndpoints } from '#contract/resources/margin.ts';
import { mediaLabelEndpoints } from '#contract/resources/media-label.ts';
import { mediaLineageEndpoints } from '#contract/resources/media-lineage.ts';
import { mediaEndpoints } from '#contract/resources/media.ts';
import { passkeyEndpoints } from '#contract/resources/passkey.ts';
import { peopleEndpoints } from '#contract/resources/person.ts';
import { presetEndpoints } from '#contract/resources/preset.ts';
import { providerBillEndpoints } from '#contract/resources/provider-bill.ts';
import { providerPresetEndpoints } from '#contract/resources/provider-preset.ts';
import { providerEndpoints } from '#contract/resources/provider.ts';
import { referenceEndpoints } from '#contract/resources/reference.ts';
import { requestEndpoints } from '#contract/resources/request.ts';
import { reviewEndpoints } from '#contract/resources/review.ts';
import { sessionEndpoints } from '#contract/resources/session.ts';
import { settingsEndpoints } from '#contract/resources/settings.ts';
import { shareEndpoints } from '#contract/resources/share.ts';
import { tagEndpoints } from '#contract/resources/tag.ts';
import { textModelEndpoints } from '#contract/resources/text-model.ts';
import { uploadEndpoints } from '#contract/resources/upload.ts';
import { webhookApiEndpoints } from '#contract/resources/webhook.ts';
import { workflowRunEndpoints } from '#contract/resources/workflow-run.ts';
import { workflowStarterEndpoints } from '#contract/resources/workflow-starter.ts';

/** Every endpoint with its schemas. The service's routes, the typed client and OpenAPI derive from it. Spec: Endpoints */
export const endpoints = {
  ...catalogEndpoints,
  ...addedModelEndpoints,
  ...activityEndpoints,
  ...generationEndpoints,
  ...batchEndpoints,
  ...reviewEndpoints,
  ...uploadEndpoints,
  ...referenceEndpoints,
  ...mediaEndpoints,
  ...credentialEndpoints,
  ...mediaLabelEndpoints,
  ...mediaLineageEndpoints,
  ...collectionEndpoints,
  ...shareEndpoints,
  ...ledgerEndpoints,
  ...billingEndpoints,
  ...tagEndpoints,
  ...presetEndpoints,
  ...textModelEndpoints,
  ...budgetEndpoints,
  ...requestEndpoints,
  ...settingsEndpoints,
  ...alertEndpoints,
  ...auditEndpoints,
  ...auditEventEndpoints,
  ...marginEndpoints,
  ...providerBillEndpoints,
  ...closingEndpoints,
  ...webhookApiEndpoints,
  ...providerPresetEndpoints,
  ...providerEndpoints,
  ...workflowRunEndpoints,
  ...workflowStarterEndpoints,
  ...keyEndpoints,
  ...sessionEndpoints,
  ...passkeyEndpoints,
  ...peopleEndpoints,
} as const satisfies { [N in keyof typeof ENDPOINT_ROUTES]: EndpointSpec & (typeof ENDPOINT_ROUTES)[N] };

export type EndpointName = keyof typeof endpoints;
export type Endpoints = typeof endpoints;

type SchemaOutput<S> = S extends z.ZodMiniType ? z.output<S> : undefined;
type SchemaInput<S> = S extends z.ZodMiniType ? z.input<S> : undefined;
type PropertyOf<E, K extends string> = E extends Record<K, infer V> ? V : undefined;

/** Types as a handler receives them, with defaults filled in. */
export type ParamsOf<N extends EndpointName> = SchemaOutput<PropertyOf<Endpoints[N], 'params'>>;
export type QueryOf<N extends EndpointName> = SchemaOutput<PropertyOf<Endpoints[N], 'query'>>;
export type BodyOf<N extends EndpointName> = SchemaOutput<PropertyOf<Endpoints[N], 'body'>>;
/** Type as a caller sends it. */
export type BodyInput<N extends EndpointName> = SchemaInput<PropertyOf<Endpoints[N], 'body'>>;
export type ResponseOf<N extends EndpointName> = SchemaOutput<Endpoints[N]['response']>;
export type CsvEndpoint = { [N in EndpointName]: Endpoints[N]['response'] extends 'csv' ? N : never }[EndpointName];
/** Endpoints that respond with a file other than CSV, with its type. */
export type BinaryEndpoint = {
  [N in EndpointName]: Endpoints[N]['response'] extends 'zip' | 'pdf' | 'file' ? N : never;
}[EndpointName];
