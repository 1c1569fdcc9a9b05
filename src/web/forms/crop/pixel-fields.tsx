import { MAX_SIDE_PIXELS } from '#contract/tasks/picture-tools.ts';
import { Field } from '#web/ui/controls/field.tsx';
import { NumberField } from '#web/ui/controls/number-field.tsx';
import { type EditProps, type Rect, shownSize, toShown, withShownCrop } from './picture-edit.ts';

/** The part and the size of the result by numbers. */
export function PixelFields(props: EditProps) {
  const { picture, edit, set } = props;
  const shown = shownSize(picture, edit);
  const part = toShown(edit.crop, picture, edit);
  const width = edit.width ?? part.width;
  const height = Math.max(1, Math.round((part.height * width) / part.width));
  const cut = (change: Partial<Rect>) =>
    set(withShownCrop({ ...props, edit: { ...edit, ratio: null } }, { ...part, ...change }));
  const resize = (next: number) => set({ ...edit, width: next === part.width ? null : Math.max(1, Math.round(next)) });
  const field = (label: string, value: number, max: number, onChange: (next: number) => void) => (
    <Field label={label}>
      <NumberField
        value={value}
        min={label === 'Left' || label === 'Top' ? 0 : 1}
        max={max}
        onChange={(next) => {
          if (next !== null && Number.isFinite(next) && next >= 0) onChange(next);
        }}
      />
    </Field>
  );
  return (
    <>
      <fieldset className="grid grid-cols-2 gap-2">
        <legend className="mb-1 text-sm font-medium">Part to keep, in pixels</legend>
        {field('Left', part.x, shown.width, (x) => cut({ x }))}
        {field('Top', part.y, shown.height, (y) => cut({ y }))}
        {field('Width', part.width, shown.width, (next) => cut({ width: next }))}
        {field('Height', part.height, shown.height, (next) => cut({ height: next }))}
      </fieldset>
      <fieldset className="grid grid-cols-2 gap-2">
        <legend className="mb-1 text-sm font-medium">Size of the new picture</legend>
        {field('Result width', width, MAX_SIDE_PIXELS, resize)}
        {field('Result height', height, MAX_SIDE_PIXELS, (next) => resize((next * part.width) / part.height))}
      </fieldset>
    </>
  );
}
