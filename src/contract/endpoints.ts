import type * as z from 'zod/mini';
import type { EndpointSpec } from './endpoint.ts';
import type { ENDPOINT_ROUTES } from './endpoint-routes.ts';
import { alertEndpoints } from './endpoints/alerts.ts';
import { auditEndpoints } from './endpoints/audit.ts';
import { auditEventEndpoints } from './endpoints/audit-events.ts';
import { batchEndpoints } from './endpoints/batches.ts';
import { billingEndpoints } from './endpoints/billing.ts';
import { budgetEndpoints } from './endpoints/budgets.ts';
import { catalogEndpoints } from './endpoints/catalog.ts';
import { catalogLabelEndpoints } from './endpoints/catalog-labels.ts';
import { generationEndpoints } from './endpoints/generations.ts';
import { invitationEndpoints } from './endpoints/invitations.ts';
import { keyEndpoints } from './endpoints/keys.ts';
import { marginEndpoints } from './endpoints/margin.ts';
import { mediaEndpoints } from './endpoints/media.ts';
import { passkeyEndpoints } from './endpoints/passkeys.ts';
import { peopleEndpoints } from './endpoints/people.ts';
import { providerEndpoints } from './endpoints/providers.ts';
import { referenceEndpoints } from './endpoints/references.ts';
import { requestEndpoints } from './endpoints/requests.ts';
import { reviewEndpoints } from './endpoints/review.ts';
import { sessionEndpoints } from './endpoints/sessions.ts';
import { settingsEndpoints } from './endpoints/settings.ts';
import { signInEndpoints } from './endpoints/sign-in.ts';
import { tagEndpoints } from './endpoints/tags.ts';
import { uploadEndpoints } from './endpoints/uploads.ts';
import { webhookApiEndpoints } from './endpoints/webhooks.ts';
import { workflowRunEndpoints } from './endpoints/workflow-runs.ts';
import { workflowStarterEndpoints } from './endpoints/workflow-starters.ts';

/** Every endpoint with its schemas. The service's routes, the typed client and OpenAPI derive from it. Spec: Endpoints */
export const endpoints = {
  ...catalogEndpoints,
  ...catalogLabelEndpoints,
  ...generationEndpoints,
  ...batchEndpoints,
  ...reviewEndpoints,
  ...uploadEndpoints,
  ...referenceEndpoints,
  ...mediaEndpoints,
  ...billingEndpoints,
  ...tagEndpoints,
  ...budgetEndpoints,
  ...requestEndpoints,
  ...settingsEndpoints,
  ...alertEndpoints,
  ...auditEndpoints,
  ...auditEventEndpoints,
  ...marginEndpoints,
  ...webhookApiEndpoints,
  ...providerEndpoints,
  ...workflowRunEndpoints,
  ...workflowStarterEndpoints,
  ...keyEndpoints,
  ...sessionEndpoints,
  ...signInEndpoints,
  ...passkeyEndpoints,
  ...peopleEndpoints,
  ...invitationEndpoints,
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
