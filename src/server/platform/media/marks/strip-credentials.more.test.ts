import { describe, it } from 'vitest';
import { useStripFixture } from './testing/strip-fixture.ts';

const files = useStripFixture();

describe('a file that the library signed twice', () => {
  it.each(['mov', 'm4a', 'wav'] as const)('%s: loses every manifest and still decodes the same', files.expectSameMedia);
});
