import { expect, it } from 'vitest';
import { filesThatNeedFfmpeg } from './needs-ffmpeg.ts';

it('finds the tests that create media, directly or by a fixture', () => {
  const found = filesThatNeedFfmpeg('src/**/*.test.ts');
  expect(found).toContain('src/server/platform/media/probe-file.test.ts');
  expect(found).toContain('src/server/models/tools/each-tool.test.ts');
  expect(found).not.toContain('src/server/platform/mail/mail.databases.test.ts');
  expect(found).not.toContain('src/contract/task-input.test.ts');
  expect(filesThatNeedFfmpeg('e2e/*.spec.ts')).toContain('e2e/tools.spec.ts');
});
