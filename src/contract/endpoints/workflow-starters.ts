import * as z from 'zod/mini';
import { SERVICE_UNAVAILABLE, INVALID_REQUEST, GENERATION_REQUEST_CODES, defineEndpoint } from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { listSchema, pathId } from '../primitives.ts';
import { WorkflowDraft, WorkflowEstimate, WorkflowValidation } from '../resources/workflow-estimate.ts';
import { WorkflowEstimateRequest, WorkflowStarter, WorkflowValidationRequest } from '../resources/workflow-starter.ts';
import { WorkflowDefinition, starterSlugSchema } from '../workflow-definition.ts';

const common = { tag: 'Workflow starters', addition: true } as const;
const slugParams = z.object({ slug: starterSlugSchema() });
const UNKNOWN_STARTER = ['not_found'] as const;

export const workflowStarterEndpoints = {
  list_workflow_starters: defineEndpoint({
    ...ENDPOINT_ROUTES.list_workflow_starters,
    ...common,
    summary: 'List workflow starters, by name',
    status: 200,
    response: listSchema(WorkflowStarter),
    errors: { 503: SERVICE_UNAVAILABLE },
  }),
  create_workflow_starter: defineEndpoint({
    ...ENDPOINT_ROUTES.create_workflow_starter,
    ...common,
    summary: 'Save a workflow as a starter of the organization',
    body: WorkflowDefinition,
    status: 201,
    response: WorkflowStarter,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
  }),
  get_workflow_starter: defineEndpoint({
    ...ENDPOINT_ROUTES.get_workflow_starter,
    ...common,
    summary: 'Read a workflow starter with its definition',
    params: slugParams,
    status: 200,
    response: WorkflowStarter,
    errors: { 404: UNKNOWN_STARTER, 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
  }),
  update_workflow_starter: defineEndpoint({
    ...ENDPOINT_ROUTES.update_workflow_starter,
    ...common,
    summary: 'Replace a saved starter; existing runs are not affected',
    params: slugParams,
    body: WorkflowDefinition,
    status: 200,
    response: WorkflowStarter,
    errors: { 400: INVALID_REQUEST, 404: UNKNOWN_STARTER, 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
  }),
  delete_workflow_starter: defineEndpoint({
    ...ENDPOINT_ROUTES.delete_workflow_starter,
    ...common,
    summary: 'Delete a saved starter; its runs remain',
    params: slugParams,
    status: 204,
    response: null,
    errors: { 404: UNKNOWN_STARTER, 422: INVALID_REQUEST },
  }),
  estimate_workflow: defineEndpoint({
    ...ENDPOINT_ROUTES.estimate_workflow,
    ...common,
    summary: 'Estimate a run of a starter',
    params: slugParams,
    body: WorkflowEstimateRequest,
    status: 200,
    response: WorkflowEstimate,
    errors: { 400: GENERATION_REQUEST_CODES, 404: UNKNOWN_STARTER, 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
  }),
  validate_workflow: defineEndpoint({
    ...ENDPOINT_ROUTES.validate_workflow,
    ...common,
    summary: 'Validate a workflow draft and estimate its price',
    body: WorkflowValidationRequest,
    status: 200,
    response: WorkflowValidation,
    errors: { 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
  }),
  draft_workflow: defineEndpoint({
    ...ENDPOINT_ROUTES.draft_workflow,
    ...common,
    summary: 'Draft a workflow that reproduces a generation and its sources',
    params: z.object({ generation_id: pathId() }),
    status: 200,
    response: WorkflowDraft,
    errors: { 404: ['generation_not_found'], 422: INVALID_REQUEST },
  }),
} as const;
