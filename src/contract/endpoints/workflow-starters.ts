import * as z from 'zod/mini';
import { DOWN, INVALID, ORDER_CODES, endpoint } from '../endpoint.ts';
import { listOf, pathId } from '../primitives.ts';
import { WorkflowDraft, WorkflowEstimate, WorkflowValidation } from '../resources/workflow-estimate.ts';
import { WorkflowEstimateRequest, WorkflowStarter, WorkflowValidate } from '../resources/workflow-starter.ts';
import { WorkflowDefinition, starterSlug } from '../workflow-definition.ts';

const common = { auth: 'bearer', tag: 'Workflow starters', addition: true } as const;
const slug = z.object({ slug: starterSlug() });
const UNKNOWN = ['not_found'] as const;

export const workflowStarterEndpoints = {
  list_workflow_starters: endpoint({
    ...common,
    method: 'GET',
    path: '/v1/workflow-starters',
    summary: 'List workflow starters, by name',
    status: 200,
    response: listOf(WorkflowStarter),
    errors: { 503: DOWN },
  }),
  create_workflow_starter: endpoint({
    ...common,
    method: 'POST',
    path: '/v1/workflow-starters',
    summary: 'Save a workflow as a starter of the organization',
    body: WorkflowDefinition,
    status: 201,
    response: WorkflowStarter,
    errors: { 400: INVALID, 422: INVALID, 503: DOWN },
  }),
  get_workflow_starter: endpoint({
    ...common,
    method: 'GET',
    path: '/v1/workflow-starters/{slug}',
    summary: 'Read a workflow starter with its definition',
    params: slug,
    status: 200,
    response: WorkflowStarter,
    errors: { 404: UNKNOWN, 422: INVALID, 503: DOWN },
  }),
  update_workflow_starter: endpoint({
    ...common,
    method: 'PUT',
    path: '/v1/workflow-starters/{slug}',
    summary: 'Replace a starter of the organization; runs that have begun go on as they were',
    params: slug,
    body: WorkflowDefinition,
    status: 200,
    response: WorkflowStarter,
    errors: { 400: INVALID, 404: UNKNOWN, 422: INVALID, 503: DOWN },
  }),
  delete_workflow_starter: endpoint({
    ...common,
    method: 'DELETE',
    path: '/v1/workflow-starters/{slug}',
    summary: 'Remove a starter of the organization; its runs stay',
    params: slug,
    status: 204,
    response: null,
    errors: { 404: UNKNOWN, 422: INVALID },
  }),
  estimate_workflow: endpoint({
    ...common,
    method: 'POST',
    path: '/v1/workflow-starters/{slug}/estimate',
    summary: 'What a run of a starter costs',
    params: slug,
    body: WorkflowEstimateRequest,
    status: 200,
    response: WorkflowEstimate,
    errors: { 400: ORDER_CODES, 404: UNKNOWN, 422: INVALID, 503: DOWN },
  }),
  validate_workflow: endpoint({
    ...common,
    method: 'POST',
    path: '/v1/workflow-definitions/validate',
    summary: 'Say what is wrong with a workflow that is being written, and what it would cost',
    body: WorkflowValidate,
    status: 200,
    response: WorkflowValidation,
    errors: { 422: INVALID, 503: DOWN },
  }),
  draft_workflow: endpoint({
    ...common,
    method: 'GET',
    path: '/v1/generations/{generation_id}/workflow-draft',
    summary: 'A workflow that makes a generation, and those it was made from, again',
    params: z.object({ generation_id: pathId() }),
    status: 200,
    response: WorkflowDraft,
    errors: { 404: ['generation_not_found'], 422: INVALID },
  }),
} as const;
