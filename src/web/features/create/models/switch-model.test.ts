import { expect, it } from 'vitest';
import { inputContract } from '#contract/catalog.ts';
import type { AnyModelId } from '#contract/ids.ts';
import { readDraft, recordEdits, writeDraft } from '#web/forms/values/drafts.ts';
import { initialValues } from '#web/forms/values/form-values.ts';
import { createInputForm, type InputForm } from '#web/forms/values/input-form.ts';
import { transferToModel, type SwitchSummary } from './switch-model.ts';

const task = 'video.create';
const contractOf = (model: AnyModelId) => {
  const contract = inputContract(task, model);
  if (!contract) throw new Error(`No ${task} on ${model}`);
  return contract;
};

/** The form as Create opens it: with the draft, and recording each change. */
function openForm(model: AnyModelId): InputForm {
  const contract = contractOf(model);
  const form = createInputForm(contract, readDraft(task, model, contract) ?? initialValues(contract), () => null);
  let previous = form.values();
  form.subscribe(() => {
    writeDraft(task, model, form.values());
    recordEdits(task, previous, form.values());
    previous = form.values();
  });
  return form;
}

function switchModel(from: AnyModelId, form: InputForm, to: AnyModelId): [InputForm, SwitchSummary | null] {
  const summary = transferToModel({ task, model: from }, form, { model: to, name: to, contract: contractOf(to) });
  return [openForm(to), summary];
}

const frame = { url: 'https://example.com/frame.png' };

it('returns everything that was set on a model, and says so each time', () => {
  const first = openForm('vidmodel-c-2');
  first.setValues({ prompt: 'A tram', first_frame: frame, duration_seconds: 12, aspect_ratio: '21:9' });

  const [omni, away] = switchModel('vidmodel-c-2', first, 'omni-video');
  expect(omni.values()).toMatchObject({ prompt: 'A tram', duration_seconds: 8, aspect_ratio: '16:9' });
  expect(away?.dropped).toEqual([{ label: 'Start frame', value: '1 image' }]);
  omni.setValue('prompt', 'A tram in the rain');

  const [second, back] = switchModel('omni-video', omni, 'vidmodel-c-2');
  expect(second.values()).toEqual({ ...first.values(), prompt: 'A tram in the rain' });
  expect(back).toMatchObject({ dropped: [], kept: ['Prompt'], undo: { to: { task, model: 'omni-video' } } });
  expect(back?.restored.map(({ label }) => label)).toEqual(['Shape', 'Length', 'Start frame']);

  const [, again] = switchModel('vidmodel-c-2', second, 'omni-video');
  expect(again?.dropped).toEqual([{ label: 'Start frame', value: '1 image' }]);
});

it('takes what was changed on the models in between', () => {
  const first = openForm('vidmodel-c-2-fast');
  first.setValues({ prompt: 'A kite', duration_seconds: 10, first_frame: frame });
  const [omni] = switchModel('vidmodel-c-2-fast', first, 'omni-video');
  omni.setValue('duration_seconds', 6);
  const [third] = switchModel('omni-video', omni, 'vidmodel-c-2.5');
  const [back] = switchModel('vidmodel-c-2.5', third, 'vidmodel-c-2-fast');
  expect(back.values()).toMatchObject({ prompt: 'A kite', duration_seconds: 6, first_frame: frame });
});
