/** Decision: Labels */
export const MAX_LABEL_LENGTH = 40;
export const MAX_LABELS_PER_MEDIA = 20;
/** Media that one request labels. */
export const MAX_LABEL_MEDIA = 500;
