import { describe, expect, it } from 'vitest';
import type { Model, Task } from '#contract/resources/catalog.ts';
import type { Rule } from '#contract/task.ts';
import { findSlotTarget, hasSlot, type LoadedCatalog, modelsWithSlot } from './model-slots.ts';

const UNKNOWN: LoadedCatalog = { tasks: undefined, models: undefined };
const none = () => undefined;
const startFrame = { task: 'video.create', field: 'first_frame' } as const;
const model = (id: string, restrictions: Rule[] = [], available = true) =>
  ({ id, available, tasks: [{ task: 'video.create', restrictions }] }) as unknown as Model;

describe('findSlotTarget', () => {
  it('chooses the model that was used last if it has the slot', () => {
    expect(findSlotTarget([startFrame], UNKNOWN, () => 'vidmodel-c-2-mini')).toMatchObject({
      model: 'vidmodel-c-2-mini',
    });
  });

  it('chooses the first model with the slot if the last one lacks it', () => {
    expect(findSlotTarget([startFrame], UNKNOWN, () => 'omni-video')).toMatchObject({ model: 'vidmodel-c-2' });
    expect(findSlotTarget([startFrame], UNKNOWN, none)).toMatchObject({ model: 'vidmodel-c-2' });
  });

  it('chooses among available models only', () => {
    const models = [model('vidmodel-c-2', [], false), model('vidmodel-c-2.5')];
    expect(findSlotTarget([startFrame], { tasks: undefined, models }, () => 'vidmodel-c-2')).toMatchObject({
      model: 'vidmodel-c-2.5',
    });
  });

  it('falls back to the next slot', () => {
    const references = { task: 'video.create', field: 'reference_images' } as const;
    const models = [model('omni-video')];
    expect(findSlotTarget([startFrame, references], { tasks: undefined, models }, none)).toEqual({
      ...references,
      model: 'omni-video',
    });
  });

  it('needs no model for a tool, and returns null for a task that is unavailable', () => {
    const trim = { task: 'video.trim', field: 'video' } as const;
    expect(findSlotTarget([trim], UNKNOWN, none)).toEqual({ ...trim, model: null });
    const tasks = [{ id: 'video.trim', available: false } as Task];
    expect(findSlotTarget([trim], { tasks, models: undefined }, none)).toBeNull();
  });
});

describe('hasSlot', () => {
  it('counts what the provider leaves out', () => {
    const closed: Rule = {
      when: { field: 'prompt', present: true },
      field: 'first_frame',
      allow: [null],
      message: 'No place for it.',
    };
    expect(hasSlot(startFrame, 'vidmodel-c-2', [model('vidmodel-c-2', [closed])])).toBe(false);
    const depends: Rule = { ...closed, when: { field: 'reference_images', present: true } };
    expect(hasSlot(startFrame, 'vidmodel-c-2', [model('vidmodel-c-2', [depends])])).toBe(true);
  });

  it('is false for fields without media', () => {
    expect(hasSlot({ task: 'video.create', field: 'prompt' }, 'vidmodel-c-2', undefined)).toBe(false);
  });
});

it('lists the models with frames', () => {
  expect(modelsWithSlot(startFrame, UNKNOWN)).toEqual([
    'vidmodel-c-2',
    'vidmodel-c-2-fast',
    'vidmodel-c-2-mini',
    'vidmodel-c-2.5',
  ]);
});
