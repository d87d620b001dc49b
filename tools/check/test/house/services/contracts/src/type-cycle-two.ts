import type { One } from './type-cycle-one.js';

export const two = ({ name }: One): string => name;
