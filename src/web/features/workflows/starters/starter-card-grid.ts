export const starterCardGrid = 'grid gap-4 grid-cols-[repeat(auto-fill,minmax(min(19rem,100%),1fr))]';
