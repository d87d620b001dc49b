import { two } from './cycle-two.js';

export const one = (): string => two();
