import type { EndpointName, Endpoints } from '#contract/endpoints.ts';

type Line<N extends EndpointName> = `${Endpoints[N]['method']} ${Endpoints[N]['path']}`;
type Public = { [N in EndpointName]: Endpoints[N]['auth'] extends 'none' ? N : never }[EndpointName];

/**
 * Method and path of every endpoint. The compiler holds each line to `endpoints`; importing that table itself
 * would bring every resource's schema into the first script.
 */
export const ENDPOINT_PATHS = {
  list_tasks: 'GET /v1/tasks',
  list_models: 'GET /v1/models',
  get_pricing: 'GET /v1/pricing',
  create_estimate: 'POST /v1/estimate',
  list_generations: 'GET /v1/generations',
  create_generation: 'POST /v1/generations',
  get_generation: 'GET /v1/generations/{generation_id}',
  cancel_generation: 'POST /v1/generations/{generation_id}/cancel',
  retry_generation: 'POST /v1/generations/{generation_id}/retry',
  get_upstream_job: 'GET /v1/generations/{generation_id}/upstream',
  get_review: 'GET /v1/generations/{generation_id}/review',
  decide_review: 'POST /v1/generations/{generation_id}/review',
  create_upload: 'POST /v1/uploads',
  list_uploads: 'GET /v1/uploads',
  get_upload: 'GET /v1/uploads/{upload_id}',
  delete_upload: 'DELETE /v1/uploads/{upload_id}',
  check_reference: 'POST /v1/references/check',
  list_media: 'GET /v1/media',
  get_media: 'GET /v1/media/{media_id}',
  get_media_lineage: 'GET /v1/media/{media_id}/lineage',
  add_favourite: 'PUT /v1/media/{media_id}/favourite',
  remove_favourite: 'DELETE /v1/media/{media_id}/favourite',
  delete_media: 'POST /v1/media/delete',
  archive_media: 'POST /v1/media/archive',
  get_billing_summary: 'GET /v1/billing/summary',
  list_ledger: 'GET /v1/billing/ledger',
  get_ledger_sums: 'GET /v1/billing/ledger/sums',
  export_ledger: 'GET /v1/billing/ledger.csv',
  get_spending: 'GET /v1/billing/spending',
  list_reservations: 'GET /v1/billing/reservations',
  create_refund: 'POST /v1/billing/refunds',
  list_budgets: 'GET /v1/billing/budgets',
  set_budget: 'POST /v1/billing/budgets',
  delete_budget: 'DELETE /v1/billing/budgets/{budget_id}',
  get_verification: 'GET /v1/billing/verification',
  get_statement: 'GET /v1/billing/statement',
  export_statement: 'GET /v1/billing/statement.csv',
  reprice_spending: 'POST /v1/billing/what-if',
  create_credit: 'POST /v1/billing/credits',
  list_webhook_endpoints: 'GET /v1/webhooks/endpoints',
  create_webhook_endpoint: 'POST /v1/webhooks/endpoints',
  delete_webhook_endpoint: 'DELETE /v1/webhooks/endpoints/{endpoint_id}',
  enable_webhook_endpoint: 'POST /v1/webhooks/endpoints/{endpoint_id}/enable',
  rotate_webhook_secret: 'POST /v1/webhooks/endpoints/{endpoint_id}/rotate',
  test_webhook_endpoint: 'POST /v1/webhooks/endpoints/{endpoint_id}/test',
  recover_webhook_endpoint: 'POST /v1/webhooks/endpoints/{endpoint_id}/recover',
  list_webhook_deliveries: 'GET /v1/webhooks/endpoints/{endpoint_id}/deliveries',
  get_webhook_delivery: 'GET /v1/webhooks/deliveries/{delivery_id}',
  redeliver_webhook: 'POST /v1/webhooks/deliveries/{delivery_id}/redeliver',
  list_workflow_runs: 'GET /v1/workflow-runs',
  create_workflow_run: 'POST /v1/workflow-runs',
  get_workflow_run: 'GET /v1/workflow-runs/{workflow_run_id}',
  cancel_workflow_run: 'POST /v1/workflow-runs/{workflow_run_id}/cancel',
  retry_workflow_run: 'POST /v1/workflow-runs/{workflow_run_id}/retry',
  list_workflow_starters: 'GET /v1/workflow-starters',
  create_workflow_starter: 'POST /v1/workflow-starters',
  get_workflow_starter: 'GET /v1/workflow-starters/{slug}',
  update_workflow_starter: 'PUT /v1/workflow-starters/{slug}',
  delete_workflow_starter: 'DELETE /v1/workflow-starters/{slug}',
  estimate_workflow: 'POST /v1/workflow-starters/{slug}/estimate',
  validate_workflow: 'POST /v1/workflow-definitions/validate',
  draft_workflow: 'GET /v1/generations/{generation_id}/workflow-draft',
  get_me: 'GET /v1/me',
  list_api_keys: 'GET /v1/api-keys',
  create_api_key: 'POST /v1/api-keys',
  delete_api_key: 'DELETE /v1/api-keys/{key_id}',
} as const satisfies { [N in EndpointName]: Line<N> };

const PUBLIC = {
  list_tasks: true,
  list_models: true,
  get_pricing: true,
  create_estimate: true,
} as const satisfies Record<Public, true>;

/** Whether an endpoint needs no key, so that none is sent. */
export const isPublic = (name: EndpointName) => Object.hasOwn(PUBLIC, name);
