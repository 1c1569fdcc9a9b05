/** What spending can be taken apart by. */
export const SPENDING_GROUPS = ['task', 'model', 'key'] as const satisfies readonly string[];
export type SpendingGroup = (typeof SPENDING_GROUPS)[number];
