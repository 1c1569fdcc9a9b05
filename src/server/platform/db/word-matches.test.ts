import { beforeAll, expect, it } from 'vitest';
import { toSearchQuery } from '#server/platform/core/search-words.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { type TestOrganization, useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { findWordMatches, timeOfId, type WordSearch } from './word-matches.ts';

const DAY_MS = 86_400_000;
const engine = createScriptedEngine();
const service = useSharedService(() => ({ engines: [engine] }));
let studio: TestOrganization;
const ids: string[] = [];

beforeAll(async () => {
  studio = await service.createOrganization('100');
  const { clock } = service.get().deps;
  // The gaps are within a bucket, of several buckets, and longer than what one step reads.
  for (const days of [0, 1, 60, 20 * 365]) {
    clock.advance(days * DAY_MS);
    const body = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: `an old tower, ${days}` } };
    ids.unshift((await studio.call('create_generation', { body })).body.id);
  }
});

const find = async (text: string, more: Partial<WordSearch> = {}) => {
  const parts: string[][] = [];
  const search = { organization_id: studio.organization_id, words: toSearchQuery(text) ?? '', sizes: [100], ...more };
  for await (const part of findWordMatches(service.get().deps.db, search as WordSearch)) parts.push(part);
  return parts;
};

it('finds words of every age, newest first', async () => {
  expect((await find('tower')).flat()).toEqual(ids);
  expect(await find('tower', { sizes: [1, 2] })).toEqual([[ids[0]], [ids[1], ids[2]], [ids[3]]]);
  expect((await find('tow 7300')).flat()).toEqual([ids[0]]);
  expect((await find('a tower')).flat()).toEqual(ids);
  expect(await find('z tower')).toEqual([]);
  expect(await find('castle')).toEqual([]);
});

it('starts before an id', async () => {
  expect((await find('tower', { before: ids[1] })).flat()).toEqual(ids.slice(2));
});

it('leaves out what is older than a time, to the period', async () => {
  const since = timeOfId(ids[1] ?? '');
  const found = (await find('tower', { since })).flat();
  expect(found.slice(0, 2)).toEqual(ids.slice(0, 2));
});

it('reads the time of an id', () => {
  expect(timeOfId('gen_01arz3ndektsv4rrffq69g5fav').toISOString()).toBe('2016-07-30T23:54:10.259Z');
});
