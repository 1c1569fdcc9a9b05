export const MAX_PRESETS = 200;
export const MAX_PRESET_NAME_LENGTH = 80;
/** Of the input as JSON. */
export const MAX_PRESET_INPUT_CHARACTERS = 100_000;
export const MAX_RECENT_PROMPTS = 50;
