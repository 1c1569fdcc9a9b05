import type { Permission } from './permissions.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface EndpointRoute {
  method: Method;
  path: string;
  /** null: the endpoint needs no credential. */
  permission: Permission | null;
}

/** The endpoints that the first view calls. The dashboard's first script contains no others. */
export const CORE_ENDPOINT_ROUTES = {
  list_tasks: { method: 'GET', path: '/v1/tasks', permission: null },
  list_models: { method: 'GET', path: '/v1/models', permission: null },
  get_pricing: { method: 'GET', path: '/v1/pricing', permission: null },
  create_estimate: { method: 'POST', path: '/v1/estimate', permission: null },
  list_generations: { method: 'GET', path: '/v1/generations', permission: 'work.read' },
  create_generation: { method: 'POST', path: '/v1/generations', permission: 'work.create' },
  get_generation: { method: 'GET', path: '/v1/generations/{generation_id}', permission: 'work.read' },
  create_upload: { method: 'POST', path: '/v1/uploads', permission: 'uploads.create' },
  get_billing_summary: { method: 'GET', path: '/v1/billing/summary', permission: 'billing.read_own' },
  list_budgets: { method: 'GET', path: '/v1/billing/budgets', permission: 'billing.read_own' },
  get_me: { method: 'GET', path: '/v1/me', permission: 'account.use' },
  delete_session: { method: 'DELETE', path: '/v1/session', permission: 'account.use' },
} as const satisfies Record<string, EndpointRoute>;
