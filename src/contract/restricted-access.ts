import type { ENDPOINT_ROUTES } from './api/endpoint-routes.ts';

type Routes = typeof ENDPOINT_ROUTES;
/** An endpoint that needs a credential and is no GET. */
export type MutatingEndpointName = {
  [N in keyof Routes]: Routes[N]['method'] extends 'GET' ? never : Routes[N]['permission'] extends null ? never : N;
}[keyof Routes];

/** Credentials that may do less than an organization key without limits, or than an administrator who is signed in. */
export const RESTRICTED_CREDENTIALS = {
  read_only: 'an organization key that only reads',
  scoped_session: 'a session that was made from the next key',
  scoped: 'an organization key for image.create',
  trim_only: 'an organization key for video.trim',
  expiring: 'an organization key that expires',
  member: 'a member key of a program',
  publishing: 'a publishing key',
  member_session: 'a member who is signed in',
  admin_member_key: 'a member key of an administrator',
  auditor_session: 'an auditor who is signed in',
  auditor_key: 'a key of an auditor',
} as const;
export type RestrictedCredential = keyof typeof RESTRICTED_CREDENTIALS;

/** 401; 404 as for an unknown object; 402 `approval_required`; 400 for programs; 200 that lists it as not found. */
export type AccessOutcome = 'allowed' | 'refused' | 'hidden' | 'approval' | 'people_only' | 'skipped';

export interface AccessRule {
  allowed?: readonly RestrictedCredential[];
  hidden?: readonly RestrictedCredential[];
  people_only?: readonly RestrictedCredential[];
  /** What a member gets where members see only their own work. */
  own_work?: AccessOutcome;
  /** What a member gets above the approval limit. */
  approvals?: AccessOutcome;
}

const UNLIMITED_WORKERS = ['expiring', 'member', 'member_session', 'admin_member_key'] as const;
const IN_SCOPE_WORKERS = [...UNLIMITED_WORKERS, 'scoped', 'scoped_session'] as const;
const WORKERS = [...IN_SCOPE_WORKERS, 'trim_only'] as const;
const AUDITORS = ['auditor_session', 'auditor_key'] as const;
const PERSON_SESSIONS = ['member_session', 'auditor_session'] as const;
const SESSIONS = [...PERSON_SESSIONS, 'scoped_session'] as const;
const PROGRAM_KEYS = ['read_only', 'scoped', 'trim_only', 'expiring', 'member'] as const;
const PROGRAMS = [...PROGRAM_KEYS, 'scoped_session'] as const;
const SESSION_ENDERS = [...PROGRAMS.filter((name) => name !== 'read_only'), ...PERSON_SESSIONS] as const;

/** Who may do what to an object of another person; whoever is not named is refused. Decision: Limits of a credential */
export const ACCESS_RULES = {
  /** Reads, for reasons of size with a body. */
  read_work: { allowed: ['read_only', ...WORKERS, ...AUDITORS], own_work: 'hidden' },
  read_billing: { allowed: [...PROGRAMS, 'admin_member_key', ...AUDITORS] },
  /** Something new of the caller's own. */
  create: { allowed: WORKERS },
  upload: { allowed: ['publishing', ...WORKERS] },
  in_scope: { allowed: IN_SCOPE_WORKERS },
  order: { allowed: IN_SCOPE_WORKERS, approvals: 'approval' },
  /** Everybody who sees it may change it, unless their key is limited to tasks or models. */
  change: { allowed: UNLIMITED_WORKERS, own_work: 'hidden' },
  change_listed: { allowed: UNLIMITED_WORKERS, own_work: 'skipped' },
  change_shared: { allowed: UNLIMITED_WORKERS },
  retry: { allowed: UNLIMITED_WORKERS, own_work: 'hidden', approvals: 'approval' },
  /** Spends in the name of its owner. */
  continue: { allowed: ['expiring'], own_work: 'hidden' },
  /** Belongs to whom created it; administrators may change it too. */
  owned: { allowed: ['expiring'], hidden: WORKERS.filter((name) => name !== 'expiring') },
  owner_only: { hidden: WORKERS },
  manage: { allowed: ['expiring'] },
  /** Could make a credential that lives longer than a key that expires. */
  manage_people: {},
  create_key: { allowed: PERSON_SESSIONS },
  manage_key: { hidden: PERSON_SESSIONS },
  /** One's own account and sessions. */
  own_account: { allowed: PERSON_SESSIONS },
  foreign_passkey: { hidden: PERSON_SESSIONS },
  open_session: { allowed: [...PROGRAM_KEYS, 'admin_member_key', 'auditor_key'] },
  open_session_or_device: { allowed: [...PROGRAM_KEYS, 'admin_member_key', 'auditor_key', ...PERSON_SESSIONS] },
  end_own_session: { allowed: SESSIONS, people_only: [...PROGRAM_KEYS, 'admin_member_key', 'auditor_key'] },
  end_own_sessions: { allowed: SESSION_ENDERS },
  end_foreign_session: { hidden: SESSION_ENDERS },
} as const satisfies Record<string, AccessRule>;

/** Every endpoint that changes something. A new one needs a row. */
export const RESTRICTED_ACCESS = {
  create_generation: 'order',
  cancel_generation: 'change',
  cancel_generations: 'change_listed',
  retry_generation: 'retry',
  save_post: 'change',
  check_reference: 'create',
  decide_review: 'manage',

  create_batch: 'order',
  estimate_batch: 'create',
  pause_batch: 'change',
  resume_batch: 'continue',
  cancel_batch: 'change',
  retry_batch: 'continue',

  create_workflow_run: 'order',
  cancel_workflow_run: 'change',
  retry_workflow_run: 'retry',
  estimate_workflow_run_retry: 'change',
  create_workflow_starter: 'create',
  update_workflow_starter: 'change_shared',
  delete_workflow_starter: 'change_shared',
  estimate_workflow: 'create',
  validate_workflow: 'create',

  create_upload: 'upload',
  delete_upload: 'change',
  rename_media: 'change',
  add_favourite: 'change',
  remove_favourite: 'change',
  delete_media: 'change_listed',
  restore_media: 'change_listed',
  label_media: 'change_listed',
  archive_media: 'read_work',
  archive_bare_media: 'manage',
  create_collection: 'create',
  update_collection: 'change',
  delete_collection: 'change',
  add_collection_media: 'change',
  remove_collection_media: 'change',
  create_share: 'change',
  update_share: 'owned',
  revoke_share: 'owned',
  create_preset: 'create',
  update_preset: 'owned',
  delete_preset: 'owned',
  improve_prompt: 'in_scope',

  create_request: 'create',
  cancel_request: 'owner_only',
  decide_request: 'manage',

  create_refund: 'manage',
  create_credit: 'manage',
  set_budget: 'manage',
  delete_budget: 'manage',
  preview_provider_bill: 'manage',
  create_provider_bill: 'manage',
  read_provider_bill: 'manage',
  delete_provider_bill: 'manage',
  settle_findings: 'manage',
  close_month: 'manage',
  reopen_month: 'manage',
  reprice_spending: 'read_billing',
  set_tag: 'manage',
  delete_tag: 'manage',
  update_settings: 'manage',
  set_logo: 'manage',
  acknowledge_alert: 'manage',
  create_webhook_endpoint: 'manage',
  delete_webhook_endpoint: 'manage',
  enable_webhook_endpoint: 'manage',
  rotate_webhook_secret: 'manage',
  test_webhook_endpoint: 'manage',
  recover_webhook_endpoint: 'manage',
  redeliver_webhook: 'manage',
  connect_provider: 'manage',
  test_provider_key: 'manage',
  update_provider: 'manage',
  rotate_provider_key: 'manage',
  set_billing_key: 'manage',
  remove_billing_key: 'manage',
  test_provider: 'manage',
  disconnect_provider: 'manage',
  create_added_model: 'manage',
  search_provider_models: 'manage',
  inspect_model: 'manage',
  update_added_model: 'manage',
  remove_added_model: 'manage',
  test_added_model: 'manage',
  upgrade_added_model: 'manage',
  set_catalog_label: 'manage',
  delete_catalog_label: 'manage',

  create_api_key: 'create_key',
  update_api_key: 'manage_key',
  rotate_api_key: 'manage_key',
  delete_api_key: 'manage_key',
  update_person: 'manage_people',
  remove_person: 'manage_people',
  create_invitation: 'manage_people',
  revoke_invitation: 'manage_people',

  update_me: 'own_account',
  confirm_email: 'own_account',
  resend_email_confirmation: 'own_account',
  cancel_pending_email: 'own_account',
  start_passkey_registration: 'own_account',
  create_passkey: 'own_account',
  update_passkey: 'foreign_passkey',
  delete_passkey: 'foreign_passkey',
  create_sign_in_token: 'open_session_or_device',
  create_session: 'open_session',
  delete_session: 'end_own_session',
  end_other_sessions: 'end_own_sessions',
  end_session: 'end_foreign_session',
} as const satisfies Record<MutatingEndpointName, keyof typeof ACCESS_RULES>;
