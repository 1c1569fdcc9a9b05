import * as z from 'zod/mini';
import { INVALID, endpoint } from '../endpoint.ts';
import { listOf, pathId } from '../primitives.ts';
import { Budget, BudgetSet } from '../resources/budget.ts';

/** What may be spent in a month. */
export const budgetEndpoints = {
  list_budgets: endpoint({
    method: 'GET',
    path: '/v1/billing/budgets',
    auth: 'bearer',
    tag: 'Billing',
    summary: 'List budgets, the organization’s first',
    status: 200,
    response: listOf(Budget),
    errors: {},
    addition: true,
  }),
  set_budget: endpoint({
    method: 'POST',
    path: '/v1/billing/budgets',
    auth: 'organization',
    tag: 'Billing',
    summary: 'Set what the organization or a key may spend in a month',
    body: BudgetSet,
    status: 200,
    response: Budget,
    errors: { 404: ['not_found'], 422: INVALID },
    addition: true,
  }),
  delete_budget: endpoint({
    method: 'DELETE',
    path: '/v1/billing/budgets/{budget_id}',
    auth: 'organization',
    tag: 'Billing',
    summary: 'Lift a budget',
    params: z.object({ budget_id: pathId() }),
    status: 204,
    response: null,
    errors: { 404: ['not_found'], 422: INVALID },
    addition: true,
  }),
} as const;
