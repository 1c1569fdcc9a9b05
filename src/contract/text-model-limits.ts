/** Of a prompt that is to be improved. */
export const MAX_IMPROVED_PROMPT_CHARACTERS = 8_000;
/** Dollars per day (UTC) that improving prompts may cost at most, unless the administrator enters another amount. */
export const DEFAULT_TEXT_DAILY_LIMIT_USD = '1';
export const TEXT_MODEL_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._:/@+-]*$/;
export const TEXT_MODEL_PATTERN_MESSAGE = 'Enter the name of the model as the provider writes it, without spaces.';
