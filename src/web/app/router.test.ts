import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { createAppRouter } from './router.tsx';

it('reads no search parameter that its route does not know', () => {
  const { routesById } = createAppRouter(new QueryClient());
  const validators = Object.values(routesById).flatMap(({ options: { validateSearch } }) => validateSearch ?? []);
  expect(validators.length).toBeGreaterThan(15);
  for (const validate of validators)
    expect(typeof validate === 'function' && Object.entries(validate({ unknown: 1 }))).toContainEqual([
      'unknown',
      undefined,
    ]);
});
