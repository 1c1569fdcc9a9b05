import type { Secrets } from './secrets.ts';

type PagedList =
  | 'generations'
  | 'ledger'
  | 'ledger_lines'
  | 'reservations'
  | 'uploads'
  | 'media'
  | 'collections'
  | 'collection_media'
  | 'shares'
  | 'share_answers'
  | 'workflow_runs'
  | 'batches'
  | 'batch_orders'
  | 'webhook_deliveries'
  | 'requests'
  | 'people'
  | 'presets'
  | 'invitations'
  | 'provider_bills'
  | 'provider_bill_lines'
  | 'closing_findings'
  | 'audit_events'
  | 'alerts';

export interface CursorScope {
  organization_id: string;
  list: PagedList;
}

/** Creates the opaque `next_cursor` for a position, such as the id of the last row of a page. Decision: Lists */
export function issueCursor(secrets: Secrets, scope: CursorScope, position: string): string {
  return `${Buffer.from(position).toString('base64url')}.${secrets.sign('cursor', signedCursorText(scope, position))}`;
}

/** Returns the position of a cursor, or null if it was not issued for this organization and list. */
export function verifyCursor(secrets: Secrets, scope: CursorScope, cursor: string): string | null {
  const [encoded = '', signature = '', ...rest] = cursor.split('.');
  const position = Buffer.from(encoded, 'base64url').toString();
  const issued = rest.length === 0 && Buffer.from(position).toString('base64url') === encoded;
  return issued && secrets.verify('cursor', signedCursorText(scope, position), signature) ? position : null;
}

const signedCursorText = ({ organization_id, list }: CursorScope, position: string) =>
  JSON.stringify([list, organization_id, position]);
