import { beforeAll, expect, it } from 'vitest';
import {
  describeOnBothDatabases,
  type TestOrganization,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createDefinition } from '#server/studio/workflows/testing/workflow-fixture.ts';

/** Longer than the excerpt; the last word is only in the whole text. */
const PROMPT = `${'A lighthouse 🗼 '.repeat(1_500)}nightfall`;

describeOnBothDatabases(
  'inputs as large as a body',
  () => ({ engines: [createScriptedEngine()] }),
  (service) => {
    let studio: TestOrganization;
    beforeAll(async () => {
      studio = await service.createOrganization('100');
    });
    const create = async (input: Record<string, unknown>, metadata: Record<string, string> = {}) => {
      const body = { task: 'video.create', model: 'omni-video', input: { duration_seconds: 4, ...input }, metadata };
      return (await studio.call('create_generation', { body })).body;
    };
    const list = async (query: Record<string, string | number> = {}) =>
      (await studio.call('list_generations', { query })).body;

    it('are cut in the list of generations and complete in a single one', async () => {
      const made = await create({ prompt: PROMPT });
      const [row] = (await list({ limit: 1 })).data;
      expect(row).toMatchObject({ id: made.id, input_truncated: true, input: { duration_seconds: 4 } });
      const shown = String(row?.input['prompt']);
      expect([shown.length <= 1_001, shown.isWellFormed(), shown.endsWith('…')]).toEqual([true, true, true]);
      expect(PROMPT.startsWith(shown.slice(0, -1))).toBe(true);
      const { body: whole } = await studio.call('get_generation', { params: { generation_id: made.id } });
      expect([made.input['prompt'], whole.input['prompt']]).toEqual([PROMPT, PROMPT]);
      expect([made, whole].some((each) => 'input_truncated' in each)).toBe(false);
    });

    it('are cut if nested values are long', async () => {
      const url = `https://media.example/${'a'.repeat(20_000)}`;
      await create({ prompt: 'with a long link', reference_images: [{ url }], reference_video: { url: `${url}.mp4` } });
      const [row] = (await list({ limit: 1 })).data;
      expect(row?.input_truncated).toBe(true);
      expect(row?.input).toMatchObject({ prompt: 'with a long link' });
      expect(JSON.stringify(row).length).toBeLessThan(6_000);
    });

    it('are searched up to the length of the excerpt', async () => {
      const ids = async (q: string) =>
        (await list({ q })).data.map(({ input }) => String(input['prompt']).slice(0, 12));
      expect(await ids('LIGHTHOUSE')).toEqual(['A lighthouse']);
      expect(await ids('nightfall')).toEqual([]);
    });

    it('are run and retried in full', async () => {
      const made = await create({ prompt: PROMPT });
      await studio.call('cancel_generation', { params: { generation_id: made.id } });
      const { body } = await studio.call('retry_generation', { params: { generation_id: made.id } });
      expect(body.input['prompt']).toBe(PROMPT);
    });

    it('end a page early, and the cursor continues without a gap', async () => {
      const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`key ${at}`, '\\'.repeat(500)]));
      const made = [];
      for (let count = 0; count < 45; count += 1)
        made.unshift((await create({ prompt: `page ${count}` }, metadata)).id);
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null && seen.length < made.length) {
        const page = await list({ limit: 200, cursor });
        expect(JSON.stringify(page).length).toBeLessThan(4_000_000);
        expect(page.data.length).toBeLessThan(45);
        seen.push(...page.data.map(({ id }) => id));
        cursor = page.next_cursor;
      }
      expect(seen.slice(0, made.length)).toEqual(made);
    });

    it('limit the saved starters to what a list can return', async () => {
      const other = await service.createOrganization('1');
      const step = { key: 'one', name: 'One', task: 'image.create', model: 'imgmodel-a-2' };
      const long = (at: number) => {
        const input = { prompt: 'x'.repeat(31_000) };
        const steps = Array.from({ length: 6 }, (_, index) => ({ ...step, key: `step_${index}`, input }));
        return createDefinition({ slug: `long-${at}`, steps });
      };
      for (let at = 0; at < 10; at += 1) await other.call('create_workflow_starter', { body: long(at) });
      const { status, error } = await other.callError('create_workflow_starter', { body: long(10) });
      expect([status, error.message]).toEqual([400, expect.stringContaining('2,000,000 characters')]);
      const params = { slug: 'long-9' };
      expect((await other.call('update_workflow_starter', { params, body: long(9) })).status).toBe(200);
    });

    it('are cut in the list of workflow runs and complete in a single one', async () => {
      const input_schema = {
        type: 'object',
        properties: { text: { type: 'string', maxLength: 32_000 } },
        required: ['text'],
      };
      const step = {
        key: 'one',
        name: 'One',
        task: 'video.create',
        model: 'omni-video',
        input: { prompt: '{{ input.text }}' },
      };
      const definition = createDefinition({
        input_schema,
        steps: [step, { ...step, key: 'two', name: 'Two', needs: ['one'] }],
      });
      await studio.call('create_workflow_starter', { body: definition });
      const body = { starter_slug: definition.slug, input: { text: PROMPT } };
      const { body: run } = await studio.call('create_workflow_run', { body });
      expect(run.input['text']).toBe(PROMPT);
      const [row] = (await studio.call('list_workflow_runs')).body.data;
      expect(row).toMatchObject({ id: run.id, input_truncated: true });
      expect(String(row?.input['text']).length).toBeLessThan(1_002);
      expect(row?.steps.map(({ key, name, needs }) => [key, name, needs])).toEqual([
        ['one', 'One', []],
        ['two', 'Two', ['one']],
      ]);
      const found = async (q: string) => (await studio.call('list_workflow_runs', { query: { q } })).body.data.length;
      expect([await found('lighthouse'), await found('nightfall')]).toEqual([1, 0]);
    });
  },
);
