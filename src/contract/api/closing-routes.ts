/** Bills of providers, the keys with which they are read, and months beside them. */
export const CLOSING_ROUTES = {
  get_close: { method: 'GET', path: '/v1/billing/close', permission: 'costs.read' },
  list_closing_findings: { method: 'GET', path: '/v1/billing/close/findings', permission: 'costs.read' },
  get_closing_finding: { method: 'GET', path: '/v1/billing/findings/{finding_id}', permission: 'costs.read' },
  settle_findings: { method: 'POST', path: '/v1/billing/close/settlements', permission: 'funds.manage' },
  close_month: { method: 'POST', path: '/v1/billing/close/{month}/close', permission: 'funds.manage' },
  reopen_month: { method: 'POST', path: '/v1/billing/close/{month}/reopen', permission: 'funds.manage' },
  preview_provider_bill: { method: 'POST', path: '/v1/billing/bills/preview', permission: 'funds.manage' },
  create_provider_bill: { method: 'POST', path: '/v1/billing/bills', permission: 'funds.manage' },
  list_bill_readings: { method: 'GET', path: '/v1/billing/bill-readings', permission: 'costs.read' },
  read_provider_bill: { method: 'POST', path: '/v1/billing/bills/read', permission: 'funds.manage' },
  list_provider_bills: { method: 'GET', path: '/v1/billing/bills', permission: 'costs.read' },
  get_provider_bill: { method: 'GET', path: '/v1/billing/bills/{bill_id}', permission: 'costs.read' },
  list_provider_bill_lines: { method: 'GET', path: '/v1/billing/bills/{bill_id}/lines', permission: 'costs.read' },
  download_provider_bill: { method: 'GET', path: '/v1/billing/bills/{bill_id}/file', permission: 'costs.read' },
  delete_provider_bill: { method: 'DELETE', path: '/v1/billing/bills/{bill_id}', permission: 'funds.manage' },
  set_billing_key: {
    method: 'PUT',
    path: '/v1/providers/{provider_id}/billing-key',
    permission: 'providers.manage',
  },
  remove_billing_key: {
    method: 'DELETE',
    path: '/v1/providers/{provider_id}/billing-key',
    permission: 'providers.manage',
  },
} as const;
