import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Activity } from '#contract/resources/activity.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { activityQuery, refreshActivity } from './activity.ts';
import { generationQuery } from './generations.ts';

const generation = (id: string, status: Generation['status']) => ({ id, status }) as unknown as Generation;
const active = (id: string, status: 'running' | 'queued') => ({
  generation: generation(id, status),
  queue_position: null,
  seconds_left: 5,
});

describe('activity', () => {
  const client = new QueryClient();
  let stop: () => void;
  const read = () => {
    const { running, queued, generations } = client.getQueryData(activityQuery.queryKey) ?? {};
    return [running, queued, generations?.map((each) => each.generation.id)];
  };
  beforeEach(() => {
    client.setQueryData<Activity>(activityQuery.queryKey, {
      object: 'activity',
      running: 1,
      queued: 1,
      seconds_left: 5,
      generations: [active('gen_1', 'running'), active('gen_2', 'queued')],
      workflow_runs: [],
    });
    stop = refreshActivity(client);
  });
  afterEach(() => stop());

  it('leaves out a generation as soon as its result is shown', () => {
    client.setQueryData(generationQuery('gen_1').queryKey, generation('gen_1', 'succeeded'));
    expect(read()).toEqual([0, 1, ['gen_2']]);
    client.setQueryData(generationQuery('gen_2').queryKey, generation('gen_2', 'canceled'));
    expect(read()).toEqual([0, 0, []]);
  });

  it('keeps what is not complete, and what it does not list', () => {
    client.setQueryData(generationQuery('gen_2').queryKey, generation('gen_2', 'running'));
    client.setQueryData(generationQuery('gen_3').queryKey, generation('gen_3', 'succeeded'));
    expect(read()).toEqual([1, 1, ['gen_1', 'gen_2']]);
  });
});
