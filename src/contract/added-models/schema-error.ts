/** A model's schema that cannot be used at all. The message is a sentence for the administrator. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}
