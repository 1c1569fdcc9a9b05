import { expect, it } from 'vitest';
import { sourceLabel } from './starter-labels.ts';

const created_by = { id: 'key_1', name: 'Bootstrap key' };

it('calls a workflow yours only where your own key saved it', () => {
  expect(sourceLabel({ source: 'own', created_by }, 'key_1')?.label).toBe('Yours');
  expect(sourceLabel({ source: 'own', created_by }, 'key_2')).toEqual({
    label: 'Team',
    description: 'Saved by Bootstrap key.',
  });
  expect(sourceLabel({ source: 'own', created_by: null }, 'key_2')?.label).toBe('Team');
  expect(sourceLabel({ source: 'shipped' }, 'key_1')?.label).toBe('Built in');
});
