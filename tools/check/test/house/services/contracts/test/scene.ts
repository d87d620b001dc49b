export const scene = 'of tests';
