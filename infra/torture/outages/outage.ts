import type { Pool } from 'pg';
import type { Stack } from '../../local/assemble-stack.js';
import type { Tenant } from '../stage/tenants.js';

export interface Scene {
  stack: Stack;
  database: Pool;
  /** Workspaces with so many pieces of submitted work among them. */
  tenants: (pieces: number) => Promise<Tenant[]>;
  isShort: boolean;
  progress: (text: string) => void;
  cleanup: AsyncDisposableStack;
}

export interface Verdict {
  line: string;
  /** Nothing was lost, and nothing done twice. */
  isSafe: boolean;
}

export type Outage = (scene: Scene) => Promise<Verdict[]>;

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
