import type { Routes } from '../web.js';
import { signInPages } from './sign-in.js';
import { workspacePages } from './workspaces.js';

/** All rooms of the house that people see. */
export const pages: readonly Routes[] = [signInPages, workspacePages];
