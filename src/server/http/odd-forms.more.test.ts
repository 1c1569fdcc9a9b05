import { it } from 'vitest';
import { cutForms } from '#server/studio/uploads/testing/odd-forms.ts';
import { createOddFormFixture, FORM_ROUTES } from './testing/odd-form-fixture.ts';

const bench = createOddFormFixture();

it.each(FORM_ROUTES)('%s refuses a form that is cut, after each of its bytes', (route) =>
  bench.expectRefused(route, cutForms()),
);
