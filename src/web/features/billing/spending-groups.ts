/** What spending can be taken apart by. */
export const SPENDING_GROUP_OPTIONS = ['task', 'model', 'key'] as const satisfies readonly string[];
export type SpendingGroupOption = (typeof SPENDING_GROUP_OPTIONS)[number];
