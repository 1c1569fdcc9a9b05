/** Tells whether a Node error has one of these codes, such as `ENOENT`. */
export const hasErrorCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));
