import type { FieldSpec, MediaKind } from '#contract/task.ts';
import { mediaKindOf } from './accepted-file-types.ts';
import type { FieldUploads } from './field-uploads.ts';
import { readReferences } from './values/form-values.ts';
import type { InputForm } from './values/input-form.ts';
import { maxReferenceCount } from './models/max-reference-count.ts';
import { type DropTarget, registerDropTarget } from '#web/uploads/drop-target.ts';

type MediaSpec = Extract<FieldSpec, { media: MediaKind }>;

/** Adds each dropped file to the first field that accepts its type and has room. */
function createDropTarget(form: InputForm, uploads: FieldUploads): DropTarget {
  const assign = (files: readonly Pick<File, 'type' | 'name'>[]): (MediaSpec | null)[] => {
    const added = new Map<string, number>();
    return files.map((file) => {
      const kind = mediaKindOf(file);
      const fits = (field: FieldSpec): field is MediaSpec => {
        if (!('media' in field) || field.media !== kind) return false;
        const count = readReferences(form.values()[field.name]).length + uploads.itemsOfField(field.name).length;
        return count + (added.get(field.name) ?? 0) < maxReferenceCount(form.contract, form.values(), field);
      };
      const field = form.contract.fields.find(fits) ?? null;
      if (field) added.set(field.name, (added.get(field.name) ?? 0) + 1);
      return field;
    });
  };
  return {
    labelsFor: (mime_types) =>
      assign(mime_types.map((type) => ({ type, name: '' }))).map((field) => field?.label ?? null),
    addFiles: (files) => {
      const fields = assign(files);
      files.forEach((file, at) => {
        const field = fields[at];
        if (field) uploads.add(field.name, field.media, [file]);
      });
      return files.filter((_, at) => !fields[at]);
    },
  };
}

/** Lets the form take files that are dropped anywhere. Returns a cleanup function. */
export const registerFormDrops = (form: InputForm, uploads: FieldUploads): (() => void) =>
  registerDropTarget(createDropTarget(form, uploads));
