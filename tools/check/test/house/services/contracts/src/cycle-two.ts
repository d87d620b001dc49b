import { one } from './cycle-one.js';

export const two = (): string => one();
