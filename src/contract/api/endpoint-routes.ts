import { CLOSING_ROUTES } from './closing-routes.ts';
import type { Permission } from '#contract/permissions.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface EndpointRoute {
  method: Method;
  path: string;
  /** null: the endpoint needs no credential. */
  permission: Permission | null;
  /** Without a permission: a credential that is sent is known, because answers depend on it. */
  knows_caller?: true;
}

/**
 * Lists method, path and permission of every endpoint. It imports no schema, so the dashboard can load it on its own.
 * `endpoints` adds the schemas. Spec: Endpoints
 */
export const ENDPOINT_ROUTES = {
  list_tasks: { method: 'GET', path: '/v1/tasks', permission: null, knows_caller: true },
  list_models: { method: 'GET', path: '/v1/models', permission: null, knows_caller: true },
  get_pricing: { method: 'GET', path: '/v1/pricing', permission: null, knows_caller: true },
  create_estimate: { method: 'POST', path: '/v1/estimate', permission: null, knows_caller: true },
  list_generations: { method: 'GET', path: '/v1/generations', permission: 'work.read' },
  create_generation: { method: 'POST', path: '/v1/generations', permission: 'work.create' },
  get_generation: { method: 'GET', path: '/v1/generations/{generation_id}', permission: 'work.read' },
  create_upload: { method: 'POST', path: '/v1/uploads', permission: 'uploads.create' },
  get_billing_summary: { method: 'GET', path: '/v1/billing/summary', permission: 'billing.read_own' },
  list_budgets: { method: 'GET', path: '/v1/billing/budgets', permission: 'billing.read_own' },
  get_me: { method: 'GET', path: '/v1/me', permission: 'account.use' },
  delete_session: { method: 'DELETE', path: '/v1/session', permission: 'account.use' },

  cancel_generation: { method: 'POST', path: '/v1/generations/{generation_id}/cancel', permission: 'work.create' },
  cancel_generations: { method: 'POST', path: '/v1/generations/cancel', permission: 'work.create' },
  retry_generation: { method: 'POST', path: '/v1/generations/{generation_id}/retry', permission: 'work.create' },
  list_batches: { method: 'GET', path: '/v1/batches', permission: 'work.read' },
  create_batch: { method: 'POST', path: '/v1/batches', permission: 'work.create' },
  estimate_batch: { method: 'POST', path: '/v1/batches/estimate', permission: 'work.create' },
  get_batch: { method: 'GET', path: '/v1/batches/{batch_id}', permission: 'work.read' },
  list_batch_orders: { method: 'GET', path: '/v1/batches/{batch_id}/orders', permission: 'work.read' },
  pause_batch: { method: 'POST', path: '/v1/batches/{batch_id}/pause', permission: 'work.create' },
  resume_batch: { method: 'POST', path: '/v1/batches/{batch_id}/resume', permission: 'work.create' },
  cancel_batch: { method: 'POST', path: '/v1/batches/{batch_id}/cancel', permission: 'work.create' },
  retry_batch: { method: 'POST', path: '/v1/batches/{batch_id}/retry', permission: 'work.create' },
  export_batch: { method: 'GET', path: '/v1/batches/{batch_id}/results.csv', permission: 'work.read' },

  get_activity: { method: 'GET', path: '/v1/activity', permission: 'work.read' },
  list_usual_durations: { method: 'GET', path: '/v1/usual-durations', permission: 'work.read' },
  list_media: { method: 'GET', path: '/v1/media', permission: 'work.read' },
  list_tags: { method: 'GET', path: '/v1/tags', permission: 'work.read' },
  save_post: { method: 'POST', path: '/v1/generations/{generation_id}/posts', permission: 'work.create' },
  check_reference: { method: 'POST', path: '/v1/references/check', permission: 'work.create' },
  get_upstream_job: { method: 'GET', path: '/v1/generations/{generation_id}/upstream', permission: 'costs.read' },
  get_review: { method: 'GET', path: '/v1/generations/{generation_id}/review', permission: 'reviews.read' },
  decide_review: { method: 'POST', path: '/v1/generations/{generation_id}/review', permission: 'reviews.decide' },

  list_uploads: { method: 'GET', path: '/v1/uploads', permission: 'work.read' },
  get_upload: { method: 'GET', path: '/v1/uploads/{upload_id}', permission: 'work.read' },
  delete_upload: { method: 'DELETE', path: '/v1/uploads/{upload_id}', permission: 'work.create' },

  get_media: { method: 'GET', path: '/v1/media/{media_id}', permission: 'work.read' },
  rename_media: { method: 'PUT', path: '/v1/media/{media_id}/name', permission: 'work.create' },
  get_media_lineage: { method: 'GET', path: '/v1/media/{media_id}/lineage', permission: 'work.read' },
  add_favourite: { method: 'PUT', path: '/v1/media/{media_id}/favourite', permission: 'work.create' },
  remove_favourite: { method: 'DELETE', path: '/v1/media/{media_id}/favourite', permission: 'work.create' },
  restore_media: { method: 'POST', path: '/v1/media/restore', permission: 'work.create' },
  delete_media: { method: 'POST', path: '/v1/media/delete', permission: 'work.create' },
  list_media_labels: { method: 'GET', path: '/v1/media/labels', permission: 'work.read' },
  label_media: { method: 'POST', path: '/v1/media/labels', permission: 'work.create' },
  archive_media: { method: 'POST', path: '/v1/media/archive', permission: 'work.read' },
  archive_bare_media: {
    method: 'POST',
    path: '/v1/media/archive-without-credentials',
    permission: 'credentials.remove',
  },
  verify_credentials: { method: 'POST', path: '/v1/credentials/verify', permission: null },
  get_signing_certificate: { method: 'GET', path: '/v1/credentials/certificate', permission: 'account.use' },
  get_media_credentials: { method: 'GET', path: '/v1/media/{media_id}/credentials', permission: 'work.read' },

  list_collections: { method: 'GET', path: '/v1/collections', permission: 'work.read' },
  create_collection: { method: 'POST', path: '/v1/collections', permission: 'work.create' },
  get_collection: { method: 'GET', path: '/v1/collections/{collection_id}', permission: 'work.read' },
  update_collection: { method: 'PUT', path: '/v1/collections/{collection_id}', permission: 'work.create' },
  delete_collection: { method: 'DELETE', path: '/v1/collections/{collection_id}', permission: 'work.create' },
  add_collection_media: { method: 'POST', path: '/v1/collections/{collection_id}/media', permission: 'work.create' },
  remove_collection_media: {
    method: 'POST',
    path: '/v1/collections/{collection_id}/media/remove',
    permission: 'work.create',
  },

  list_shares: { method: 'GET', path: '/v1/shares', permission: 'work.read' },
  create_share: { method: 'POST', path: '/v1/shares', permission: 'work.create' },
  list_share_answers: { method: 'GET', path: '/v1/share-answers', permission: 'work.read' },
  update_share: { method: 'PUT', path: '/v1/shares/{share_id}', permission: 'work.create' },
  revoke_share: { method: 'DELETE', path: '/v1/shares/{share_id}', permission: 'work.create' },

  list_ledger: { method: 'GET', path: '/v1/billing/ledger', permission: 'billing.read_own' },
  list_ledger_lines: { method: 'GET', path: '/v1/billing/ledger/lines', permission: 'billing.read_own' },
  get_ledger_entry: { method: 'GET', path: '/v1/billing/ledger/{entry_id}', permission: 'billing.read_own' },
  get_ledger_sums: { method: 'GET', path: '/v1/billing/ledger/sums', permission: 'billing.read_own' },
  export_focus: { method: 'GET', path: '/v1/billing/focus', permission: 'billing.read_own' },
  export_ledger: { method: 'GET', path: '/v1/billing/ledger.csv', permission: 'billing.read_own' },
  get_spending: { method: 'GET', path: '/v1/billing/spending', permission: 'billing.read_own' },
  list_reservations: { method: 'GET', path: '/v1/billing/reservations', permission: 'billing.read_own' },
  create_refund: { method: 'POST', path: '/v1/billing/refunds', permission: 'funds.manage' },
  create_credit: { method: 'POST', path: '/v1/billing/credits', permission: 'funds.manage' },

  get_pivot: { method: 'GET', path: '/v1/billing/pivot', permission: 'billing.read_own' },
  export_pivot: { method: 'GET', path: '/v1/billing/pivot.csv', permission: 'billing.read_own' },

  list_tag_values: { method: 'GET', path: '/v1/tags/{tag_name}/values', permission: 'work.read' },
  set_tag: { method: 'PUT', path: '/v1/tags/{tag_name}', permission: 'settings.manage' },
  delete_tag: { method: 'DELETE', path: '/v1/tags/{tag_name}', permission: 'settings.manage' },

  set_budget: { method: 'POST', path: '/v1/billing/budgets', permission: 'budgets.manage' },
  delete_budget: { method: 'DELETE', path: '/v1/billing/budgets/{budget_id}', permission: 'budgets.manage' },

  list_requests: { method: 'GET', path: '/v1/requests', permission: 'account.use' },
  create_request: { method: 'POST', path: '/v1/requests', permission: 'work.create' },
  get_request: { method: 'GET', path: '/v1/requests/{request_id}', permission: 'account.use' },
  estimate_request: { method: 'GET', path: '/v1/requests/{request_id}/estimate', permission: 'account.use' },
  cancel_request: { method: 'POST', path: '/v1/requests/{request_id}/cancel', permission: 'work.create' },
  decide_request: { method: 'POST', path: '/v1/requests/{request_id}/decision', permission: 'reviews.decide' },

  get_settings: { method: 'GET', path: '/v1/settings', permission: 'account.use' },
  update_settings: { method: 'PUT', path: '/v1/settings', permission: 'settings.manage' },
  get_logo: { method: 'GET', path: '/v1/settings/logo', permission: 'settings.manage' },
  set_logo: { method: 'PUT', path: '/v1/settings/logo', permission: 'settings.manage' },

  list_alerts: { method: 'GET', path: '/v1/alerts', permission: 'alerts.read' },
  acknowledge_alert: { method: 'POST', path: '/v1/alerts/{alert_id}/acknowledge', permission: 'alerts.manage' },

  get_verification: { method: 'GET', path: '/v1/billing/verification', permission: 'ledger.verify' },
  export_audit_pack: { method: 'GET', path: '/v1/audit-packs', permission: 'ledger.verify' },
  list_audit_events: { method: 'GET', path: '/v1/audit-events', permission: 'audit.read' },
  list_latest_changes: { method: 'GET', path: '/v1/audit-events/latest', permission: 'audit.read' },
  export_audit_events: { method: 'GET', path: '/v1/audit-events.csv', permission: 'audit.read' },
  get_statement: { method: 'GET', path: '/v1/billing/statement', permission: 'billing.read' },
  export_statement: { method: 'GET', path: '/v1/billing/statement.csv', permission: 'billing.read' },
  print_statement: { method: 'GET', path: '/v1/billing/statement.pdf', permission: 'billing.read' },
  get_margin: { method: 'GET', path: '/v1/billing/margin', permission: 'costs.read' },
  export_margin: { method: 'GET', path: '/v1/billing/margin.csv', permission: 'costs.read' },
  ...CLOSING_ROUTES,
  reprice_spending: { method: 'POST', path: '/v1/billing/what-if', permission: 'billing.read' },

  list_presets: { method: 'GET', path: '/v1/presets', permission: 'work.read' },
  create_preset: { method: 'POST', path: '/v1/presets', permission: 'work.create' },
  get_preset: { method: 'GET', path: '/v1/presets/{preset_id}', permission: 'work.read' },
  update_preset: { method: 'PUT', path: '/v1/presets/{preset_id}', permission: 'work.create' },
  delete_preset: { method: 'DELETE', path: '/v1/presets/{preset_id}', permission: 'work.create' },
  improve_prompt: { method: 'POST', path: '/v1/prompts/improve', permission: 'work.create' },
  list_recent_prompts: { method: 'GET', path: '/v1/recent-prompts', permission: 'work.read' },

  list_webhook_endpoints: { method: 'GET', path: '/v1/webhooks/endpoints', permission: 'webhooks.manage' },
  create_webhook_endpoint: { method: 'POST', path: '/v1/webhooks/endpoints', permission: 'webhooks.manage' },
  delete_webhook_endpoint: {
    method: 'DELETE',
    path: '/v1/webhooks/endpoints/{endpoint_id}',
    permission: 'webhooks.manage',
  },
  enable_webhook_endpoint: {
    method: 'POST',
    path: '/v1/webhooks/endpoints/{endpoint_id}/enable',
    permission: 'webhooks.manage',
  },
  rotate_webhook_secret: {
    method: 'POST',
    path: '/v1/webhooks/endpoints/{endpoint_id}/rotate',
    permission: 'webhooks.manage',
  },
  test_webhook_endpoint: {
    method: 'POST',
    path: '/v1/webhooks/endpoints/{endpoint_id}/test',
    permission: 'webhooks.manage',
  },
  recover_webhook_endpoint: {
    method: 'POST',
    path: '/v1/webhooks/endpoints/{endpoint_id}/recover',
    permission: 'webhooks.manage',
  },
  list_webhook_deliveries: {
    method: 'GET',
    path: '/v1/webhooks/endpoints/{endpoint_id}/deliveries',
    permission: 'webhooks.manage',
  },
  get_webhook_delivery: { method: 'GET', path: '/v1/webhooks/deliveries/{delivery_id}', permission: 'webhooks.manage' },
  redeliver_webhook: {
    method: 'POST',
    path: '/v1/webhooks/deliveries/{delivery_id}/redeliver',
    permission: 'webhooks.manage',
  },

  list_workflow_runs: { method: 'GET', path: '/v1/workflow-runs', permission: 'work.read' },
  create_workflow_run: { method: 'POST', path: '/v1/workflow-runs', permission: 'work.create' },
  get_workflow_run: { method: 'GET', path: '/v1/workflow-runs/{workflow_run_id}', permission: 'work.read' },
  cancel_workflow_run: {
    method: 'POST',
    path: '/v1/workflow-runs/{workflow_run_id}/cancel',
    permission: 'work.create',
  },
  retry_workflow_run: { method: 'POST', path: '/v1/workflow-runs/{workflow_run_id}/retry', permission: 'work.create' },
  estimate_workflow_run_retry: {
    method: 'POST',
    path: '/v1/workflow-runs/{workflow_run_id}/retry/estimate',
    permission: 'work.create',
  },

  list_workflow_starters: { method: 'GET', path: '/v1/workflow-starters', permission: 'work.read' },
  create_workflow_starter: { method: 'POST', path: '/v1/workflow-starters', permission: 'work.create' },
  get_workflow_starter: { method: 'GET', path: '/v1/workflow-starters/{slug}', permission: 'work.read' },
  update_workflow_starter: { method: 'PUT', path: '/v1/workflow-starters/{slug}', permission: 'work.create' },
  delete_workflow_starter: { method: 'DELETE', path: '/v1/workflow-starters/{slug}', permission: 'work.create' },
  estimate_workflow: { method: 'POST', path: '/v1/workflow-starters/{slug}/estimate', permission: 'work.create' },
  validate_workflow: { method: 'POST', path: '/v1/workflow-definitions/validate', permission: 'work.create' },
  draft_workflow: { method: 'GET', path: '/v1/generations/{generation_id}/workflow-draft', permission: 'work.read' },

  list_added_models: { method: 'GET', path: '/v1/added-models', permission: 'models.manage' },
  create_added_model: { method: 'POST', path: '/v1/added-models', permission: 'models.manage' },
  list_model_providers: { method: 'GET', path: '/v1/added-models/providers', permission: 'models.manage' },
  search_provider_models: { method: 'POST', path: '/v1/added-models/search', permission: 'models.manage' },
  inspect_model: { method: 'POST', path: '/v1/added-models/inspect', permission: 'models.manage' },
  get_added_model: { method: 'GET', path: '/v1/added-models/{model_id}', permission: 'models.manage' },
  update_added_model: { method: 'PUT', path: '/v1/added-models/{model_id}', permission: 'models.manage' },
  remove_added_model: { method: 'DELETE', path: '/v1/added-models/{model_id}', permission: 'models.manage' },
  test_added_model: { method: 'POST', path: '/v1/added-models/{model_id}/test', permission: 'models.manage' },
  compare_added_model: { method: 'GET', path: '/v1/added-models/{model_id}/comparison', permission: 'models.manage' },
  upgrade_added_model: { method: 'POST', path: '/v1/added-models/{model_id}/upgrade', permission: 'models.manage' },
  list_provider_presets: { method: 'GET', path: '/v1/provider-presets', permission: 'providers.manage' },
  list_providers: { method: 'GET', path: '/v1/providers', permission: 'providers.manage' },
  connect_provider: { method: 'POST', path: '/v1/providers', permission: 'providers.manage' },
  test_provider_key: { method: 'POST', path: '/v1/providers/test', permission: 'providers.manage' },
  get_provider: { method: 'GET', path: '/v1/providers/{provider_id}', permission: 'providers.manage' },
  update_provider: { method: 'PUT', path: '/v1/providers/{provider_id}', permission: 'providers.manage' },
  rotate_provider_key: { method: 'POST', path: '/v1/providers/{provider_id}/rotate', permission: 'providers.manage' },
  list_provider_jobs: { method: 'GET', path: '/v1/providers/{provider_id}/jobs', permission: 'providers.manage' },
  test_provider: { method: 'POST', path: '/v1/providers/{provider_id}/test', permission: 'providers.manage' },
  disconnect_provider: { method: 'DELETE', path: '/v1/providers/{provider_id}', permission: 'providers.manage' },

  set_catalog_label: { method: 'PUT', path: '/v1/catalog-labels/{catalog_id}', permission: 'catalog.manage' },
  delete_catalog_label: { method: 'DELETE', path: '/v1/catalog-labels/{catalog_id}', permission: 'catalog.manage' },

  update_me: { method: 'PUT', path: '/v1/me', permission: 'account.manage' },
  confirm_email: { method: 'POST', path: '/v1/me/pending-email/confirm', permission: 'account.manage' },
  resend_email_confirmation: { method: 'POST', path: '/v1/me/pending-email', permission: 'account.manage' },
  cancel_pending_email: { method: 'DELETE', path: '/v1/me/pending-email', permission: 'account.manage' },
  list_api_keys: { method: 'GET', path: '/v1/api-keys', permission: 'keys.manage_own' },
  create_api_key: { method: 'POST', path: '/v1/api-keys', permission: 'keys.manage_own' },
  update_api_key: { method: 'PUT', path: '/v1/api-keys/{key_id}', permission: 'keys.manage_own' },
  rotate_api_key: { method: 'POST', path: '/v1/api-keys/{key_id}/rotate', permission: 'keys.manage_own' },
  delete_api_key: { method: 'DELETE', path: '/v1/api-keys/{key_id}', permission: 'keys.manage_own' },

  sign_in: { method: 'POST', path: '/v1/sign-in', permission: null },
  create_sign_in_token: { method: 'POST', path: '/v1/sign-in-tokens', permission: 'account.use' },
  create_session: { method: 'POST', path: '/v1/session', permission: 'account.use' },
  list_sessions: { method: 'GET', path: '/v1/sessions', permission: 'account.use' },
  end_session: { method: 'DELETE', path: '/v1/sessions/{session_id}', permission: 'account.use' },
  end_other_sessions: { method: 'DELETE', path: '/v1/sessions', permission: 'account.use' },

  list_sign_in_methods: { method: 'GET', path: '/v1/sign-in/methods', permission: null },
  mail_sign_in_link: { method: 'POST', path: '/v1/sign-in/mail', permission: null },
  start_passkey_sign_in: { method: 'POST', path: '/v1/sign-in/passkey/options', permission: null },
  sign_in_with_passkey: { method: 'POST', path: '/v1/sign-in/passkey', permission: null },
  start_oidc_sign_in: { method: 'GET', path: '/v1/sign-in/oidc', permission: null },
  finish_oidc_sign_in: { method: 'GET', path: '/v1/sign-in/oidc/callback', permission: null },

  list_passkeys: { method: 'GET', path: '/v1/passkeys', permission: 'account.use' },
  start_passkey_registration: { method: 'POST', path: '/v1/passkeys/options', permission: 'account.manage' },
  create_passkey: { method: 'POST', path: '/v1/passkeys', permission: 'account.manage' },
  update_passkey: { method: 'PUT', path: '/v1/passkeys/{passkey_id}', permission: 'account.manage' },
  delete_passkey: { method: 'DELETE', path: '/v1/passkeys/{passkey_id}', permission: 'account.manage' },

  list_roles: { method: 'GET', path: '/v1/roles', permission: 'account.use' },
  list_people: { method: 'GET', path: '/v1/people', permission: 'people.read' },
  update_person: { method: 'PUT', path: '/v1/people/{person_id}', permission: 'people.manage' },
  remove_person: { method: 'DELETE', path: '/v1/people/{person_id}', permission: 'people.manage' },
  list_invitations: { method: 'GET', path: '/v1/invitations', permission: 'people.manage' },
  create_invitation: { method: 'POST', path: '/v1/invitations', permission: 'people.manage' },
  revoke_invitation: { method: 'DELETE', path: '/v1/invitations/{invitation_id}', permission: 'people.manage' },
  preview_invitation: { method: 'POST', path: '/v1/invitations/preview', permission: null },
  accept_invitation: { method: 'POST', path: '/v1/invitations/accept', permission: null },
} as const satisfies Record<string, EndpointRoute>;

export type EndpointName = keyof typeof ENDPOINT_ROUTES;
