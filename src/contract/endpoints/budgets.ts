import * as z from 'zod/mini';
import { INVALID_REQUEST, defineEndpoint } from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { listSchema, pathId } from '../primitives.ts';
import { Budget, BudgetUpdate } from '../resources/budget.ts';

export const budgetEndpoints = {
  list_budgets: defineEndpoint({
    ...ENDPOINT_ROUTES.list_budgets,
    tag: 'Billing',
    summary: 'List budgets, the organization’s first',
    status: 200,
    response: listSchema(Budget),
    errors: {},
    addition: true,
  }),
  set_budget: defineEndpoint({
    ...ENDPOINT_ROUTES.set_budget,
    tag: 'Billing',
    summary: 'Set the budget of the organization, a person, a key, a model or a tag value',
    body: BudgetUpdate,
    status: 200,
    response: Budget,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
    addition: true,
  }),
  delete_budget: defineEndpoint({
    ...ENDPOINT_ROUTES.delete_budget,
    tag: 'Billing',
    summary: 'Delete a budget',
    params: z.object({ budget_id: pathId() }),
    status: 204,
    response: null,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
    addition: true,
  }),
} as const;
