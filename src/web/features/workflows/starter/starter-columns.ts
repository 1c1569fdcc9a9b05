export const starterColumns = 'mt-6 grid gap-x-10 gap-y-10 lg:grid-cols-[minmax(20rem,32rem)_minmax(0,1fr)]';
