import { expect, it } from 'vitest';
import { limitSbom } from './write-sbom.ts';

const DEVELOPMENT = { name: 'cdx:npm:package:development', value: 'true' };
const ALIAS = { name: 'cdx:npm:package:path', value: 'node_modules/react' };

it('holds what ships, without the time, the random number and the folder of the build', () => {
  const limited = limitSbom(
    {
      serialNumber: 'urn:uuid:random',
      metadata: {
        timestamp: '2026-11-29T00:00:00Z',
        component: { 'bom-ref': 'emulsion@0.1.0', name: 'folder', type: 'library' },
      },
      components: [
        { 'bom-ref': 'react@19.0.0', properties: [DEVELOPMENT, ALIAS] },
        { 'bom-ref': 'vitest@5.0.0', properties: [DEVELOPMENT] },
      ],
      dependencies: [
        { ref: 'emulsion@0.1.0', dependsOn: ['react@19.0.0', 'vitest@5.0.0'] },
        { ref: 'react@19.0.0' },
        { ref: 'vitest@5.0.0', dependsOn: ['react@19.0.0'] },
      ],
    },
    'emulsion',
    new Set(['react@19.0.0']),
  );
  expect(limited).toEqual({
    metadata: { component: { 'bom-ref': 'emulsion@0.1.0', name: 'emulsion', type: 'application' } },
    components: [{ 'bom-ref': 'react@19.0.0', properties: [ALIAS] }],
    dependencies: [
      { ref: 'emulsion@0.1.0', dependsOn: ['react@19.0.0'] },
      { ref: 'react@19.0.0', dependsOn: [] },
    ],
  });
});
