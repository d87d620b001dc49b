import { two } from './type-cycle-two.js';

export interface One {
  name: string;
}

export const one = (): string => two({ name: 'one' });
