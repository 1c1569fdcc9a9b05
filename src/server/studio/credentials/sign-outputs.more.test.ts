import { describe, it } from 'vitest';
import { createSignedResults } from './testing/signed-results-fixture.ts';

const results = createSignedResults();

describe('results', () => {
  it.each([
    ['video.split_scenes', { threshold: 20, minimum_scene_length_seconds: 0 }, 'c2pa.trimmed'],
    ['video.extract_frame', { timestamp_seconds: 1, format: 'webp' }, 'c2pa.converted'],
    ['video.extract_audio', { format: 'wav' }, 'c2pa.converted'],
    ['video.extract_audio', { format: 'aac' }, 'c2pa.converted'],
    ['video.add_audio', { mode: 'replace' }, 'c2pa.dubbed'],
    ['video.lipsync', {}, 'c2pa.dubbed'],
  ])('of %s %o keep the history of their source', results.expectHistory);
});
