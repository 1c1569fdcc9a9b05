/** Bounds for a provider's schema, which is untrusted input. */
export const SCHEMA_LIMITS = {
  /** JSON values that are read, references inlined. */
  values: 50_000,
  depth: 24,
  references: 12,
  fields: 120,
  nested_fields: 20,
  options: 20_000,
  /** Of which several can be chosen. */
  list_options: 500,
  option_characters: 200,
  name_characters: 64,
  label_characters: 60,
  help_characters: 300,
  text_characters: 32_000,
  items: 100,
  media_items: 20,
} as const;

/** Bounds for a provider's result. */
export const RESULT_LIMITS = {
  values: 20_000,
  depth: 16,
  files: 100,
  url_characters: 4_096,
  data_characters: 200_000,
} as const;
