import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useFieldArray, useWatch } from 'react-hook-form';
import { Button } from '#web/ui/controls/button.tsx';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import {
  type CardProps,
  EditorSection,
  KeyField,
  PartCard,
  useChangeWithUndo,
  useStarterForm,
} from '../editor-parts.tsx';
import { findDependents } from '../expressions.ts';
import { type StarterInput, type StarterValues, uniqueKey } from '../starter-values.ts';
import { OtherProblems, PathField } from '../validation.tsx';
import {
  detectInputKind,
  INPUT_DEFAULTS,
  INPUT_KIND_LABELS,
  INPUT_KINDS,
  type InputKind,
  inputTitle,
  mergeProperty,
} from './input-kinds.ts';
import { InputSettings } from './input-settings.tsx';

export function InputList({ isNew }: { isNew: boolean }) {
  const { control, getValues } = useStarterForm();
  const { fields, append, move, remove } = useFieldArray({ control, name: 'inputs' });
  const changeWithUndo = useChangeWithUndo();
  const [addedKey, setAddedKey] = useState<string | null>(null);
  const add = (kind: InputKind) => {
    const { required, property } = INPUT_DEFAULTS[kind];
    const keys = getValues('inputs').map((input) => input.key);
    const key = uniqueKey(property.title, keys, 'input');
    setAddedKey(key);
    append({ key, required, property }, { shouldFocus: false });
  };
  const removeInput = (at: number) => {
    const { inputs, ...values } = getValues();
    const input = inputs[at];
    if (!input) return;
    const users = findDependents({ inputs, ...values }, 'input', input.key);
    changeWithUndo(`“${inputTitle(input)}” deleted`, users, () => remove(at));
  };
  return (
    <EditorSection
      title="Inputs"
      intro="Fields people fill in before each run."
      path="input_schema"
      actions={
        <Menu
          label="Input type"
          renderTrigger={(props) => (
            <Button {...props} size="sm" icon={<Plus aria-hidden="true" className="size-4" />}>
              Add input
            </Button>
          )}
        >
          {INPUT_KINDS.map((kind) => (
            <MenuItem
              key={kind}
              aside={<span className="text-xs text-ink-3">{INPUT_KIND_LABELS[kind].description}</span>}
              onSelect={() => add(kind)}
            >
              {INPUT_KIND_LABELS[kind].label}
            </MenuItem>
          ))}
        </Menu>
      }
    >
      {fields.length === 0 ? (
        <p className="text-sm text-ink-3">No inputs. Every run does the same.</p>
      ) : (
        <ol aria-label="Inputs" className="flex flex-col gap-2">
          {fields.map(({ id, key }, at) => (
            <li key={id}>
              <InputCard
                at={at}
                count={fields.length}
                isNew={isNew}
                isInitiallyOpen={key === addedKey}
                onMove={move}
                onDelete={() => removeInput(at)}
              />
            </li>
          ))}
        </ol>
      )}
      <OtherProblems path="input_schema" shown={['properties']} />
    </EditorSection>
  );
}

/** These fields show their own problems; others are listed at the end of the card. */
const FIELDS_WITH_PROBLEMS =
  'title description minimum maximum default enum examples items x-unit x-media minItems maxItems maxLength'.split(' ');

function InputCard({ at, isNew, ...card }: CardProps & { isNew: boolean }) {
  const { getValues, setValue } = useStarterForm();
  const input = useWatch<StarterValues, `inputs.${number}`>({ name: `inputs.${at}` });
  const { key, property, required } = input;
  const path = `input_schema.properties.${key}`;
  const kind = detectInputKind(property);
  const change = (parts: Partial<StarterInput>) => setValue(`inputs.${at}`, { ...input, ...parts });
  const set = (parts: StarterInput['property'], nextRequired = required) =>
    change({ property: mergeProperty(property, parts), required: nextRequired });
  const isOptional = !required && kind !== 'boolean' && !(kind && 'default' in property);
  const textOf = (name: string) => (typeof property[name] === 'string' ? property[name] : '');
  /** In a new workflow the key follows the label until something uses it. */
  const changeLabel = (title: string) => {
    const values = getValues();
    const follows = isNew && findDependents(values, 'input', key).length === 0;
    const others = values.inputs.filter((_, index) => index !== at).map((each) => each.key);
    change({
      property: mergeProperty(property, { title: title || undefined }),
      ...(follows ? { key: uniqueKey(title, others, 'input') } : {}),
    });
  };
  return (
    <PartCard
      {...card}
      at={at}
      path={path}
      title={inputTitle(input)}
      subtitle={`${kind ? INPUT_KIND_LABELS[kind].label : 'Custom'}${isOptional ? ', optional' : ''}`}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <PathField label="Label" path={`${path}.title`}>
          <TextInput value={textOf('title')} onChange={(event) => changeLabel(event.target.value)} />
        </PathField>
        <Field label="Type">
          <Select
            value={kind ?? ''}
            placeholder="Custom"
            options={INPUT_KINDS.map((value) => ({ value, label: INPUT_KIND_LABELS[value].label }))}
            onChange={(next) => {
              const { title, description } = property;
              const { required: nextRequired, property: defaults } = INPUT_DEFAULTS[next];
              change({ required: nextRequired, property: mergeProperty(defaults, { title, description }) });
            }}
          />
        </Field>
        <PathField label="Help text" optional path={`${path}.description`} className="sm:col-span-2">
          <TextInput
            placeholder="Shown below the field"
            value={textOf('description')}
            onChange={(event) => set({ description: event.target.value || undefined })}
          />
        </PathField>
        {kind ? (
          <InputSettings kind={kind} input={input} path={path} set={set} />
        ) : (
          <p className="text-sm text-ink-2 sm:col-span-2">This input type can only be edited as JSON.</p>
        )}
      </div>
      <OtherProblems path={path} shown={FIELDS_WITH_PROBLEMS} />
      <Disclosure summary="Advanced">
        <KeyField root="input" at={at} path={`${path}.key`} />
      </Disclosure>
    </PartCard>
  );
}
