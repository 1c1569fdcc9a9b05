import { describe, expect, it } from 'vitest';
import { inputContract } from '#contract/catalog.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { initialValues, type FormValues } from '#web/forms/values/form-values.ts';
import { type BatchTable, readPromptLines, replacePromptLine } from './batch-table.ts';
import { buildOrders, type OrderSettings } from './build-orders.ts';
import { combineGrid, ratioOptions } from './combine-grid.ts';
import { MODEL_TARGET, NAME_TARGET, tagTarget } from './match-columns.ts';

const contractOf = (task: TaskId, model: AnyModelId | null) => {
  const contract = inputContract(task, model);
  if (!contract) throw new Error(`No ${task} on ${model}`);
  return contract;
};

function settingsOf(task: TaskId, model: AnyModelId | null, targets: string[], values: FormValues = {}): OrderSettings {
  const contract = contractOf(task, model);
  return {
    task,
    model,
    models: undefined,
    contract,
    values: { ...initialValues(contract), ...values },
    targets,
    findMedia: (name) => {
      if (name === 'later.png') return 'pending';
      return name === 'cat.png' ? { url: 'https://studio.example/cat' } : { problem: `No upload is named “${name}”.` };
    },
  };
}

const rowsOf = (...rows: string[][]): BatchTable['rows'] =>
  rows.map((cells, at) => ({ id: String(at), number: at + 1, cells }));

function outcome(rows: BatchTable['rows'], settings: OrderSettings) {
  return buildOrders(rows, settings).map((result) => {
    if (result.state === 'order') return result.order;
    return result.state === 'problem' ? result.problems : 'pending';
  });
}

describe('prompts, one per line', () => {
  it('ignores blank lines and counts them', () => {
    expect(readPromptLines('A cat\r\n\n  A dog \n')).toEqual([
      { id: '0', number: 1, cells: ['A cat'] },
      { id: '2', number: 3, cells: ['A dog'] },
    ]);
  });

  it('replaces and removes the line of a row', () => {
    expect(replacePromptLine('A cat\n\nA dog', '2', 'A bird')).toBe('A cat\n\nA bird');
    expect(replacePromptLine('A cat\n\nA dog', '0', null)).toBe('\nA dog');
  });
});

describe('orders of rows', () => {
  it('gives each order the tags of its row', () => {
    const settings = settingsOf('image.create', 'imgmodel-b-2', ['prompt', tagTarget({ name: 'client', label: '' })]);
    expect(outcome(rowsOf(['A cat', ' Nordlicht GmbH '], ['A dog', '']), settings)).toMatchObject([
      { input: { prompt: 'A cat' }, metadata: { client: 'Nordlicht GmbH' } },
      { input: { prompt: 'A dog' } },
    ]);
  });

  it('names the files of each order by its row', () => {
    const settings = settingsOf('image.create', 'imgmodel-b-2', [NAME_TARGET, 'prompt']);
    const [named, unnamed] = outcome(rowsOf(['  Honey\tjar ', 'A jar'], [' ', 'A tin']), settings);
    expect(named).toMatchObject({ name: 'Honey jar', input: { prompt: 'A jar' } });
    expect(unnamed).not.toHaveProperty('name');
  });

  it('joins the cells with the values that all orders share', () => {
    const settings = settingsOf('image.create', 'imgmodel-b-2', ['prompt', 'aspect_ratio', ''], { resolution: '2K' });
    expect(outcome(rowsOf(['A cat', '16:9', 'a note'], ['A dog', ' ', '']), settings)).toEqual([
      {
        task: 'image.create',
        model: 'imgmodel-b-2',
        input: { prompt: 'A cat', aspect_ratio: '16:9', resolution: '2K' },
      },
      { task: 'image.create', model: 'imgmodel-b-2', input: { prompt: 'A dog', resolution: '2K' } },
    ]);
  });

  it('reads options by name, label and equal ratio', () => {
    const settings = settingsOf('image.create', 'imgmodel-a-2.5-flare', ['prompt', 'quality', 'size']);
    expect(outcome(rowsOf(['A cat', 'Extra high', '3:2'], ['A cat', 'MAX', '1024 × 1536']), settings)).toMatchObject([
      { input: { quality: 'xhigh', size: '1536x1024' } },
      { input: { quality: 'max', size: '1024x1536' } },
    ]);
  });

  it('reads numbers with a unit or a decimal comma', () => {
    const length = settingsOf('video.create', 'omni-video', ['prompt', 'duration_seconds']);
    expect(outcome(rowsOf(['A cat', '6,0']), length)).toEqual([
      expect.objectContaining({ input: { prompt: 'A cat', duration_seconds: 6 } }),
    ]);
    const settings = settingsOf('video.trim', null, ['video', 'start_seconds', 'end_seconds']);
    expect(outcome(rowsOf(['https://example.com/a.mp4', '1,5', '8 s']), settings)).toMatchObject([
      { input: { video: { url: 'https://example.com/a.mp4' }, start_seconds: 1.5, end_seconds: 8 } },
    ]);
    expect(outcome(rowsOf(['https://example.com/a.mp4', '1,500', 'soon']), settings)).toEqual([
      [
        { target: 'start_seconds', message: '“1,500” is ambiguous. Write the number without a comma.' },
        { target: 'end_seconds', message: '“soon” is not a number.' },
      ],
    ]);
  });

  it('reads links and names of media, several in a cell', () => {
    const settings = settingsOf('image.edit', 'imgmodel-b-2', ['prompt', 'images']);
    const rows = rowsOf(
      ['Blue', 'https://example.com/a,b.png https://example.com/c.png; cat.png'],
      ['Red', 'dog.png'],
      ['Green', 'later.png'],
    );
    expect(outcome(rows, settings)).toEqual([
      expect.objectContaining({
        input: {
          prompt: 'Blue',
          images: [
            { url: 'https://example.com/a,b.png' },
            { url: 'https://example.com/c.png' },
            { url: 'https://studio.example/cat' },
          ],
        },
      }),
      [{ target: 'images', message: 'No upload is named “dog.png”.' }],
      'pending',
    ]);
  });

  it('names the field of a value that is not an option', () => {
    const settings = settingsOf('video.create', 'omni-video', ['prompt', 'aspect_ratio']);
    expect(outcome(rowsOf(['A cat', '4:7']), settings)).toEqual([
      [{ target: 'aspect_ratio', message: '“4:7” is not an option. Use 9:16 or 16:9.' }],
    ]);
  });

  it('rejects a row with more values than columns', () => {
    const [problems] = outcome(rowsOf(['A cat', ' asleep']), settingsOf('image.create', 'imgmodel-b-2', ['prompt']));
    expect(problems).toMatchObject([{ target: null, message: expect.stringContaining('2 values for 1 columns') }]);
  });

  it('takes the model of a row by id or name and adapts the shared values', () => {
    const settings = settingsOf('image.create', 'imgmodel-b-2', [MODEL_TARGET, 'aspect_ratio'], {
      prompt: 'A cat',
      resolution: '4K',
    });
    const rows = rowsOf(['ImgModel A 2.5 Flare', '3:2'], ['imgmodel-b-2-lite', '8:1'], ['Nobody', '']);
    expect(outcome(rows, settings)).toEqual([
      {
        task: 'image.create',
        model: 'imgmodel-a-2.5-flare',
        input: { prompt: 'A cat', size: '1536x1024' },
      },
      { task: 'image.create', model: 'imgmodel-b-2-lite', input: { prompt: 'A cat', aspect_ratio: '8:1' } },
      [{ target: MODEL_TARGET, message: 'No model “Nobody” for this task.' }],
    ]);
  });
});

describe('a grid of models and ratios', () => {
  const contractOfModel = (model: AnyModelId) => contractOf('image.create', model);

  it('lists sizes as ratios', () => {
    expect(ratioOptions(contractOfModel('imgmodel-a-2.5-flare'))).toEqual([
      '1:1',
      '3:2',
      '2:3',
      '16:9',
      '9:16',
      'auto',
    ]);
  });

  it('combines the ratios that a model has, without the rows that were left out', () => {
    const rows = combineGrid({
      models: ['imgmodel-b-2', 'imgmodel-a-2.5-flare'],
      ratios: ['3:2', '8:1'],
      contractOf: contractOfModel,
      excluded: new Set(['imgmodel-b-2 3:2']),
    });
    expect(rows).toEqual([
      { id: 'imgmodel-b-2 8:1', number: 2, cells: ['imgmodel-b-2', '8:1'] },
      { id: 'imgmodel-a-2.5-flare 3:2', number: 3, cells: ['imgmodel-a-2.5-flare', '3:2'] },
    ]);
  });
});
