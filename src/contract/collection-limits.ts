/** Decision: Collections */
export const MAX_COLLECTIONS = 200;
export const MAX_COLLECTION_MEDIA = 2_000;
/** Media that one request adds or removes. */
export const MAX_COLLECTION_CHANGE = 500;
export const MAX_COLLECTION_NAME_LENGTH = 80;
export const MAX_COLLECTION_DESCRIPTION_LENGTH = 2_000;
