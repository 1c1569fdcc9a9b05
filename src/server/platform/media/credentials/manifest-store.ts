import type { WasmReader } from '@contentauth/c2pa-wasm';
import * as z from 'zod/mini';

// What this service reads of a manifest store. Anything else in it, or of another type, is ignored.

// The linter takes the name for that of a promise.
export const orElse = z.catch;
const text = () => orElse(z.optional(z.string()), undefined);
const list = <T extends z.ZodMiniType>(item: T) => orElse(z.array(item), []);

const Status = z.object({
  code: z.string(),
  url: text(),
  /** Of version 1. */
  success: orElse(z.optional(z.boolean()), undefined),
});
export type ValidationStatus = z.infer<typeof Status>;
const Statuses = z.object({ success: list(Status), informational: list(Status), failure: list(Status) });
const NO_STATUSES = { success: [], informational: [], failure: [] };
const statuses = () => orElse(Statuses, NO_STATUSES);

const Results = z.object({
  activeManifest: statuses(),
  ingredientDeltas: list(z.object({ validationDeltas: statuses() })),
});
export type ValidationResults = z.infer<typeof Results>;
const NO_RESULTS: ValidationResults = { activeManifest: NO_STATUSES, ingredientDeltas: [] };

const Named = z.object({ name: text() });
const Action = z.object({
  action: z.string(),
  when: text(),
  digitalSourceType: text(),
  softwareAgent: orElse(z.optional(z.union([z.string(), Named])), undefined),
});
const Actions = z.object({ actions: list(Action) });
const Ingredient = z.object({
  title: text(),
  relationship: text(),
  active_manifest: text(),
  validation_results: orElse(Results, NO_RESULTS),
  /** Of version 1, in place of results. */
  validation_status: list(Status),
});
export type StoredIngredient = z.infer<typeof Ingredient>;
const Manifest = z.object({
  title: text(),
  claim_generator_info: list(Named),
  signature_info: orElse(
    z.optional(z.object({ common_name: text(), issuer: text(), cert_serial_number: text(), time: text() })),
    undefined,
  ),
  thumbnail: orElse(z.optional(z.object({ format: z.string(), identifier: z.string() })), undefined),
  ingredients: list(Ingredient),
  assertions: list(z.object({ label: z.string(), data: z.unknown() })),
});
export type StoredManifest = z.infer<typeof Manifest>;

const Store = z.object({
  active_manifest: text(),
  manifests: orElse(z.record(z.string(), orElse(z.optional(Manifest), undefined)), {}),
  validation_state: text(),
  validation_results: orElse(Results, NO_RESULTS),
});
export type ManifestStore = z.infer<typeof Store>;

/** @param json of the library */
export const parseStore = (json: unknown): ManifestStore => Store.parse(json);

export const readStore = (reader: WasmReader): ManifestStore => parseStore(reader.manifestStore());

export const readActions = ({ assertions }: StoredManifest): z.infer<typeof Action>[] =>
  assertions
    .filter(({ label }) => label.startsWith('c2pa.actions'))
    .flatMap(({ data }) => Actions.safeParse(data).data?.actions ?? []);
