import type { Pool } from 'pg';
import type { ApiClient } from '../../v1.js';
import type { Stack } from '@payroll/tools/local/assemble-stack';
import type { Tenant } from '../system/workspaces.js';

export interface Scene {
  stack: Stack;
  api: ApiClient;
  database: Pool;
  /** Workspaces that share this many submitted work items. */
  tenants: (items: number) => Promise<Tenant[]>;
  isShort: boolean;
  cleanup: AsyncDisposableStack;
}

export interface Verdict {
  line: string;
  /** False if something was lost or done twice. */
  isSafe: boolean;
}

export type Outage = (scene: Scene) => Promise<Verdict[]>;
