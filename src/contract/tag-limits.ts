export const MAX_TAGS = 5;
export const MAX_TAG_VALUE_LENGTH = 64;
