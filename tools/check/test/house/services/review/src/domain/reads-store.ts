import { tables } from '../store/tables.js';

export const known = (): readonly string[] => tables;
