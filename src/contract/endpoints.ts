import type * as z from 'zod/mini';
import type { EndpointSpec } from './endpoint.ts';
import type { ENDPOINT_ROUTES } from './endpoint-routes.ts';
import { addedModelEndpoints } from './resources/added-model-endpoints.ts';
import { activityEndpoints } from './resources/activity.ts';
import { alertEndpoints } from './resources/alert.ts';
import { keyEndpoints } from './resources/api-key.ts';
import { auditEventEndpoints } from './resources/audit-event.ts';
import { auditEndpoints } from './resources/audit.ts';
import { batchEndpoints } from './resources/batch.ts';
import { billingEndpoints } from './resources/billing.ts';
import { budgetEndpoints } from './resources/budget.ts';
import { catalogEndpoints } from './resources/catalog.ts';
import { collectionEndpoints } from './resources/collection.ts';
import { credentialEndpoints } from './resources/credentials.ts';
import { generationEndpoints } from './resources/generation.ts';
import { ledgerEndpoints } from './resources/ledger.ts';
import { marginEndpoints } from './resources/margin.ts';
import { mediaLabelEndpoints } from './resources/media-label.ts';
import { mediaLineageEndpoints } from './resources/media-lineage.ts';
import { mediaEndpoints } from './resources/media.ts';
import { passkeyEndpoints } from './resources/passkey.ts';
import { peopleEndpoints } from './resources/person.ts';
import { presetEndpoints } from './resources/preset.ts';
import { providerBillEndpoints } from './resources/provider-bill.ts';
import { providerPresetEndpoints } from './resources/provider-preset.ts';
import { providerEndpoints } from './resources/provider.ts';
import { referenceEndpoints } from './resources/reference.ts';
import { requestEndpoints } from './resources/request.ts';
import { reviewEndpoints } from './resources/review.ts';
import { sessionEndpoints } from './resources/session.ts';
import { settingsEndpoints } from './resources/settings.ts';
import { shareEndpoints } from './resources/share.ts';
import { tagEndpoints } from './resources/tag.ts';
import { textModelEndpoints } from './resources/text-model.ts';
import { uploadEndpoints } from './resources/upload.ts';
import { webhookApiEndpoints } from './resources/webhook.ts';
import { workflowRunEndpoints } from './resources/workflow-run.ts';
import { workflowStarterEndpoints } from './resources/workflow-starter.ts';

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
  [N in EndpointName]: Endpoints[N]['response'] extends 'zip' | 'pdf' ? N : never;
}[EndpointName];
