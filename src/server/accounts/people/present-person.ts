import type { Person } from '#contract/resources/person.ts';
import type { AuditActor } from '#server/accounts/audit/record-audit-event.ts';
import type { PersonRow } from './create-person.ts';

export const presentPerson = (row: PersonRow): Person => ({
  id: row.id,
  object: 'person',
  name: row.name,
  email: row.email,
  pending_email: row.pending_email,
  role: row.role,
  created_at: row.created_at.toISOString(),
  last_active_at: row.last_active_at?.toISOString() ?? null,
  removed_at: row.removed_at?.toISOString() ?? null,
});

export const personActor = (row: PersonRow, address: string): AuditActor => ({
  organization_id: row.organization_id,
  key_id: row.key_id,
  key_name: row.name,
  person: { id: row.id, name: row.name, email: row.email, role: row.role },
  address,
});

export const personTarget = ({ id, name }: Pick<PersonRow, 'id' | 'name'>) => ({ type: 'person', id, name });
