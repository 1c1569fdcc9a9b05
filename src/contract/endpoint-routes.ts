type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
/**
 * Which credential a caller needs: none; any key except publishing ones; an organization key; or any key, publishing
 * included.
 */
export type Auth = 'none' | 'bearer' | 'organization' | 'upload';

export interface EndpointRoute {
  method: Method;
  path: string;
  auth: Auth;
}

/**
 * Lists method, path and credential of every endpoint. It imports no schema, so the dashboard's first script can
 * contain it. `endpoints` adds the schemas. Spec: Endpoints
 */
export const ENDPOINT_ROUTES = {
  list_tasks: { method: 'GET', path: '/v1/tasks', auth: 'none' },
  list_models: { method: 'GET', path: '/v1/models', auth: 'none' },
  get_pricing: { method: 'GET', path: '/v1/pricing', auth: 'none' },
  create_estimate: { method: 'POST', path: '/v1/estimate', auth: 'none' },

  list_generations: { method: 'GET', path: '/v1/generations', auth: 'bearer' },
  create_generation: { method: 'POST', path: '/v1/generations', auth: 'bearer' },
  get_generation: { method: 'GET', path: '/v1/generations/{generation_id}', auth: 'bearer' },
  cancel_generation: { method: 'POST', path: '/v1/generations/{generation_id}/cancel', auth: 'bearer' },
  retry_generation: { method: 'POST', path: '/v1/generations/{generation_id}/retry', auth: 'bearer' },
  list_usual_durations: { method: 'GET', path: '/v1/usual-durations', auth: 'bearer' },

  get_upstream_job: { method: 'GET', path: '/v1/generations/{generation_id}/upstream', auth: 'organization' },
  get_review: { method: 'GET', path: '/v1/generations/{generation_id}/review', auth: 'organization' },
  decide_review: { method: 'POST', path: '/v1/generations/{generation_id}/review', auth: 'organization' },

  create_upload: { method: 'POST', path: '/v1/uploads', auth: 'upload' },
  list_uploads: { method: 'GET', path: '/v1/uploads', auth: 'bearer' },
  get_upload: { method: 'GET', path: '/v1/uploads/{upload_id}', auth: 'bearer' },
  delete_upload: { method: 'DELETE', path: '/v1/uploads/{upload_id}', auth: 'bearer' },

  check_reference: { method: 'POST', path: '/v1/references/check', auth: 'bearer' },

  list_media: { method: 'GET', path: '/v1/media', auth: 'bearer' },
  get_media: { method: 'GET', path: '/v1/media/{media_id}', auth: 'bearer' },
  get_media_lineage: { method: 'GET', path: '/v1/media/{media_id}/lineage', auth: 'bearer' },
  add_favourite: { method: 'PUT', path: '/v1/media/{media_id}/favourite', auth: 'bearer' },
  remove_favourite: { method: 'DELETE', path: '/v1/media/{media_id}/favourite', auth: 'bearer' },
  delete_media: { method: 'POST', path: '/v1/media/delete', auth: 'bearer' },
  archive_media: { method: 'POST', path: '/v1/media/archive', auth: 'bearer' },

  get_billing_summary: { method: 'GET', path: '/v1/billing/summary', auth: 'bearer' },
  list_ledger: { method: 'GET', path: '/v1/billing/ledger', auth: 'bearer' },
  get_ledger_sums: { method: 'GET', path: '/v1/billing/ledger/sums', auth: 'bearer' },
  export_ledger: { method: 'GET', path: '/v1/billing/ledger.csv', auth: 'bearer' },
  get_spending: { method: 'GET', path: '/v1/billing/spending', auth: 'bearer' },
  list_reservations: { method: 'GET', path: '/v1/billing/reservations', auth: 'bearer' },
  create_refund: { method: 'POST', path: '/v1/billing/refunds', auth: 'organization' },
  create_credit: { method: 'POST', path: '/v1/billing/credits', auth: 'organization' },

  list_budgets: { method: 'GET', path: '/v1/billing/budgets', auth: 'bearer' },
  set_budget: { method: 'POST', path: '/v1/billing/budgets', auth: 'organization' },
  delete_budget: { method: 'DELETE', path: '/v1/billing/budgets/{budget_id}', auth: 'organization' },

  get_verification: { method: 'GET', path: '/v1/billing/verification', auth: 'organization' },
  get_statement: { method: 'GET', path: '/v1/billing/statement', auth: 'bearer' },
  export_statement: { method: 'GET', path: '/v1/billing/statement.csv', auth: 'bearer' },
  get_margin: { method: 'GET', path: '/v1/billing/margin', auth: 'organization' },
  export_margin: { method: 'GET', path: '/v1/billing/margin.csv', auth: 'organization' },
  reprice_spending: { method: 'POST', path: '/v1/billing/what-if', auth: 'bearer' },

  list_webhook_endpoints: { method: 'GET', path: '/v1/webhooks/endpoints', auth: 'organization' },
  create_webhook_endpoint: { method: 'POST', path: '/v1/webhooks/endpoints', auth: 'organization' },
  delete_webhook_endpoint: { method: 'DELETE', path: '/v1/webhooks/endpoints/{endpoint_id}', auth: 'organization' },
  enable_webhook_endpoint: {
    method: 'POST',
    path: '/v1/webhooks/endpoints/{endpoint_id}/enable',
    auth: 'organization',
  },
  rotate_webhook_secret: { method: 'POST', path: '/v1/webhooks/endpoints/{endpoint_id}/rotate', auth: 'organization' },
  test_webhook_endpoint: { method: 'POST', path: '/v1/webhooks/endpoints/{endpoint_id}/test', auth: 'organization' },
  recover_webhook_endpoint: {
    method: 'POST',
    path: '/v1/webhooks/endpoints/{endpoint_id}/recover',
    auth: 'organization',
  },
  list_webhook_deliveries: {
    method: 'GET',
    path: '/v1/webhooks/endpoints/{endpoint_id}/deliveries',
    auth: 'organization',
  },
  get_webhook_delivery: { method: 'GET', path: '/v1/webhooks/deliveries/{delivery_id}', auth: 'organization' },
  redeliver_webhook: { method: 'POST', path: '/v1/webhooks/deliveries/{delivery_id}/redeliver', auth: 'organization' },

  list_workflow_runs: { method: 'GET', path: '/v1/workflow-runs', auth: 'bearer' },
  create_workflow_run: { method: 'POST', path: '/v1/workflow-runs', auth: 'bearer' },
  get_workflow_run: { method: 'GET', path: '/v1/workflow-runs/{workflow_run_id}', auth: 'bearer' },
  cancel_workflow_run: { method: 'POST', path: '/v1/workflow-runs/{workflow_run_id}/cancel', auth: 'bearer' },
  retry_workflow_run: { method: 'POST', path: '/v1/workflow-runs/{workflow_run_id}/retry', auth: 'bearer' },
  estimate_workflow_run_retry: {
    method: 'POST',
    path: '/v1/workflow-runs/{workflow_run_id}/retry/estimate',
    auth: 'bearer',
  },

  list_workflow_starters: { method: 'GET', path: '/v1/workflow-starters', auth: 'bearer' },
  create_workflow_starter: { method: 'POST', path: '/v1/workflow-starters', auth: 'bearer' },
  get_workflow_starter: { method: 'GET', path: '/v1/workflow-starters/{slug}', auth: 'bearer' },
  update_workflow_starter: { method: 'PUT', path: '/v1/workflow-starters/{slug}', auth: 'bearer' },
  delete_workflow_starter: { method: 'DELETE', path: '/v1/workflow-starters/{slug}', auth: 'bearer' },
  estimate_workflow: { method: 'POST', path: '/v1/workflow-starters/{slug}/estimate', auth: 'bearer' },
  validate_workflow: { method: 'POST', path: '/v1/workflow-definitions/validate', auth: 'bearer' },
  draft_workflow: { method: 'GET', path: '/v1/generations/{generation_id}/workflow-draft', auth: 'bearer' },

  list_provider_presets: { method: 'GET', path: '/v1/provider-presets', auth: 'organization' },
  list_providers: { method: 'GET', path: '/v1/providers', auth: 'organization' },
  connect_provider: { method: 'POST', path: '/v1/providers', auth: 'organization' },
  test_provider_key: { method: 'POST', path: '/v1/providers/test', auth: 'organization' },
  get_provider: { method: 'GET', path: '/v1/providers/{provider_id}', auth: 'organization' },
  update_provider: { method: 'PUT', path: '/v1/providers/{provider_id}', auth: 'organization' },
  rotate_provider_key: { method: 'POST', path: '/v1/providers/{provider_id}/rotate', auth: 'organization' },
  list_provider_jobs: { method: 'GET', path: '/v1/providers/{provider_id}/jobs', auth: 'organization' },
  test_provider: { method: 'POST', path: '/v1/providers/{provider_id}/test', auth: 'organization' },
  disconnect_provider: { method: 'DELETE', path: '/v1/providers/{provider_id}', auth: 'organization' },

  set_catalog_label: { method: 'PUT', path: '/v1/catalog-labels/{catalog_id}', auth: 'organization' },
  delete_catalog_label: { method: 'DELETE', path: '/v1/catalog-labels/{catalog_id}', auth: 'organization' },

  get_me: { method: 'GET', path: '/v1/me', auth: 'bearer' },
  list_api_keys: { method: 'GET', path: '/v1/api-keys', auth: 'organization' },
  create_api_key: { method: 'POST', path: '/v1/api-keys', auth: 'organization' },
  delete_api_key: { method: 'DELETE', path: '/v1/api-keys/{key_id}', auth: 'organization' },

  sign_in: { method: 'POST', path: '/v1/sign-in', auth: 'none' },
  create_sign_in_token: { method: 'POST', path: '/v1/sign-in-tokens', auth: 'bearer' },
  create_session: { method: 'POST', path: '/v1/session', auth: 'bearer' },
  delete_session: { method: 'DELETE', path: '/v1/session', auth: 'bearer' },
} as const satisfies Record<string, EndpointRoute>;
