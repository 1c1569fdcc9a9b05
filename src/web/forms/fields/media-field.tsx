import { useState } from 'react';
import type { ReferenceField, ReferencesField } from '#contract/task.ts';
import { LinkInput } from '#web/forms/fields/link-input.tsx';
import { MediaSources } from '#web/forms/fields/media-sources.tsx';
import { MediaTile } from '#web/forms/fields/media-tile.tsx';
import { RuleNotice } from '#web/forms/fields/rule-notice.tsx';
import { SendingTile } from '#web/forms/fields/sending-tile.tsx';
import { useMediaItems } from '#web/forms/fields/use-media-items.ts';
import { countOf, MEDIA_NOUNS } from '#web/forms/field-words.ts';
import { firstProblem, problemOfItem, problemOfList } from '#web/forms/first-problem.ts';
import { useField, useForm, useSendings } from '#web/forms/form-context.ts';
import { cx } from '#web/ui/cx.ts';
import { Field } from '#web/ui/field.tsx';

type MediaSpec = ReferenceField | ReferencesField;

const limitWords = (field: MediaSpec, count: number, max: number) => {
  if (field.kind === 'reference') return undefined;
  return count > 0 ? `${count} of ${max}` : `Up to ${max}`;
};

/** References: dropped, pasted, browsed for, chosen from what is there, or given as links; shown, ordered, removed. */
export function MediaField({ field }: { field: MediaSpec }) {
  const { form, tray } = useForm();
  const { problems } = useField(field.name);
  const sendings = useSendings(field.name);
  const { items, max, room, add, setItems } = useMediaItems(field);
  const [linking, setLinking] = useState(false);
  const [over, setOver] = useState(false);
  const [hovered, setHovered] = useState<number | null>(null);
  const [tooMany, setTooMany] = useState(false);
  const full = room <= 0;
  const empty = items.length + sendings.length === 0;
  const big = field.group === 'main';

  const send = (files: readonly File[]) => {
    const taken = files.slice(0, Math.max(0, room));
    setTooMany(files.length > taken.length);
    if (taken.length > 0) tray.add(field.name, field.media, taken);
  };
  const change = (next: typeof items) => {
    setItems(next);
    setTooMany(false);
    form.leave(field.name);
  };

  const [one] = MEDIA_NOUNS[field.media];
  const problem = field.kind === 'reference' ? firstProblem(problems) : problemOfList(problems);
  const surplus = `There is room for ${countOf(field.media, max)} here; the rest was left out.`;
  return (
    <Field
      label={field.label}
      hint={field.help}
      error={problem ?? (tooMany ? surplus : undefined)}
      required={field.required === true}
      optional={field.required !== true}
      group
      aside={limitWords(field, items.length, max)}
    >
      <div
        data-accepts={full ? undefined : field.media}
        onDragOver={(event) => {
          if (full || !event.dataTransfer.types.includes('Files')) return;
          event.preventDefault();
          event.dataTransfer.dropEffect = 'copy';
          setOver(true);
        }}
        onDragLeave={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
        }}
        onDrop={(event) => {
          setOver(false);
          if (full || event.dataTransfer.files.length === 0) return;
          event.preventDefault();
          event.stopPropagation();
          send([...event.dataTransfer.files]);
        }}
        className={cx(
          'rounded-md border border-dashed transition-colors',
          over ? 'border-amber bg-amber-soft' : 'border-line-strong',
          !empty && 'p-1.5',
        )}
      >
        {empty ? null : (
          <ul aria-label={field.label} className="mb-1.5 grid grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))] gap-1.5">
            {items.map((item, at) => (
              <MediaTile
                key={`${item.url} ${items.slice(0, at).filter(({ url }) => url === item.url).length}`}
                item={item}
                media={field.media}
                at={at}
                count={items.length}
                with_role={field.with_role}
                problem={problemOfItem(problems, at)}
                target={hovered === at}
                onHover={setHovered}
                onMove={(to) => change(moved(items, at, to))}
                onRemove={() => change(items.filter((_, index) => index !== at))}
                onRole={(role) => setItems(items.map((each, index) => (index === at ? { ...each, role } : each)))}
              />
            ))}
            {sendings.map((sending) => (
              <SendingTile key={sending.id} sending={sending} />
            ))}
          </ul>
        )}
        {full ? null : (
          <MediaSources
            field={field}
            room={room}
            size={empty ? (big ? 'big' : 'row') : 'foot'}
            onFiles={send}
            onPick={(urls) => add(urls)}
            onLink={() => setLinking(true)}
          />
        )}
      </div>
      {linking ? (
        <LinkInput
          label={`Link to the ${one}`}
          onClose={() => setLinking(false)}
          onAdd={(url) => {
            add([url]);
            setLinking(false);
          }}
        />
      ) : null}
      <RuleNotice field={field} />
    </Field>
  );
}

function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.filter((_, index) => index !== from);
  const item = list[from];
  return item === undefined ? [...list] : [...rest.slice(0, to), item, ...rest.slice(to)];
}
