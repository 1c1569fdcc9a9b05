export const MIN_TOGETHER_ORDERS = 2;
export const MAX_TOGETHER_ORDERS = 16;
export const MAX_LIST_ORDERS = 1000;
/** Values of the JSON body of a request with orders, nested ones included. */
export const MAX_ORDER_VALUES = 40_000;
/** Of the same body: 1,000 orders with prompts of 2,000 characters fit in any script. */
export const MAX_ORDER_BYTES = 8_388_608;
export const MAX_BATCH_NAME_LENGTH = 120;

export const CATALOG_LABEL_LIMITS = { name: 60, description: 160 } as const;

/** Decision: Collections */
export const MAX_COLLECTIONS = 200;
export const MAX_COLLECTION_MEDIA = 2_000;
/** Media that one request adds or removes. */
export const MAX_COLLECTION_CHANGE = 500;
export const MAX_COLLECTION_NAME_LENGTH = 80;
export const MAX_COLLECTION_DESCRIPTION_LENGTH = 2_000;

/** Decision: Labels */
export const MAX_LABEL_LENGTH = 40;
export const MAX_LABELS_PER_MEDIA = 20;
/** Media that one request labels. */
export const MAX_LABEL_MEDIA = 500;

/** Longer names would be cut in file names. */
export const MAX_MEDIA_NAME_LENGTH = 80;

export const MAX_PRESETS = 200;
export const MAX_PRESET_NAME_LENGTH = 80;
/** Of the input as JSON. */
export const MAX_PRESET_INPUT_CHARACTERS = 100_000;
export const MAX_RECENT_PROMPTS = 50;

/** Decision: Share pages */
export const MAX_OPEN_SHARES = 500;
export const MAX_SHARE_DAYS = 365;
export const MAX_SHARE_TITLE_LENGTH = 120;
/** Files of a page that shows a selection. */
export const MAX_SHARE_MEDIA = 200;
/** Answers of clients on one page, those that were changed or taken back included. Decision: Client answers */
export const MAX_SHARE_ANSWERS = 2_000;
export const MAX_CLIENT_NAME_LENGTH = 60;
export const MAX_CLIENT_COMMENT_LENGTH = 2_000;
export const SHARE_CODE_LENGTH = { min: 6, max: 32 } as const;
export const MAX_ORGANIZATION_NAME_LENGTH = 80;
export const MAX_LOGO_BYTES = 524_288;
/** Paths of public pages: `/s/<token>`. */
export const SHARE_PATH = '/s/';
/** The public page that checks content credentials. */
export const VERIFY_PATH = '/verify';

export const MAX_TAGS = 5;
export const MAX_TAG_VALUE_LENGTH = 64;

/** Of a prompt that is to be improved. */
export const MAX_IMPROVED_PROMPT_CHARACTERS = 8_000;
/** Dollars per day (UTC) that improving prompts may cost at most, unless the administrator enters another amount. */
export const DEFAULT_TEXT_DAILY_LIMIT_USD = '1';
export const TEXT_MODEL_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._:/@+-]*$/;
export const TEXT_MODEL_PATTERN_MESSAGE = 'Enter the name of the model as the provider writes it, without spaces.';

/** Days for which deleted files can be restored. Decision: Trash */
export const TRASH_DAYS = 30;
