import { Pool } from 'pg';
import { progress } from '@payroll/tools/cli';
import { accessTo, type GraphqlAccess } from '@payroll/tools/demo/graphql-client';
import type { DemoSystem } from '@payroll/tools/demo/operator';
import { newPrincipal, type Key } from '@payroll/tools/demo/people';
import { addWorkspaces } from '@payroll/tools/demo/seed';
import type { DemoWorkspace, StackFile } from '@payroll/tools/local/stack-file';
import { call } from './v1.js';
import { handIn, type Piece } from './work.js';

export type Principal = Key & { memberId: string };

/** A workspace with many principals, so that each stays within the contract's limits, and with work to decide on. */
export interface Tenant {
  id: string;
  access: GraphqlAccess;
  admins: Principal[];
  member: Principal;
  viewer: Principal;
  /** An admin whose role is switched during the run. */
  turncoat: Principal;
  /** The token of an admin's assistant, if there is one. */
  assistant: string | undefined;
  work: Piece[];
}

/** The reviewers: enough to decide on most of the work at a rate within the contract's limits. */
const MAX_ADMINS = 40;
const PIECES_EACH = 100;

/**
 * Four workspaces that share this many pieces of submitted work: those of a seeded system, and two more.
 * @param databaseUrl of a role that may write to every table
 */
export async function furnish(
  system: DemoSystem & { file: Pick<StackFile, 'workspaces'> },
  databaseUrl: string,
  pieces: number,
): Promise<Tenant[]> {
  progress('Handing in work');
  const workspaces = [...system.file.workspaces!, ...(await addWorkspaces(system))];
  const database = new Pool({ connectionString: databaseUrl });
  try {
    const each = Math.ceil(pieces / workspaces.length);
    const tenants = await Promise.all(workspaces.map((workspace) => furnishOne(system, workspace, database, each)));
    await database.query('analyze');
    return tenants;
  } finally {
    await database.end();
  }
}

async function furnishOne(
  system: DemoSystem,
  workspace: DemoWorkspace,
  database: Pool,
  pieces: number,
): Promise<Tenant> {
  const access = accessTo(system.file.graphql, workspace.id);
  const admins: Principal[] = [];
  const wanted = Math.min(MAX_ADMINS, Math.ceil(pieces / PIECES_EACH));
  while (admins.length < wanted) admins.push(await newPrincipal(access));
  const [member, viewer] = [await newPrincipal(access, 'member'), await newPrincipal(access, 'viewer')];
  const turncoat = await newPrincipal(access);
  const contracts = await handIn(access, database, pieces);
  const { id, mcpTokens } = workspace;
  const url = system.file.rest.url;
  const paths = [
    '/timesheets?status=submitted',
    ...contracts.map((each) => `/contracts/${each}/milestones?status=submitted`),
  ];
  const work: Piece[] = [];
  for (const path of paths) {
    const kind = path.startsWith('/timesheets') ? 'timesheet' : 'milestone';
    const rows = await listed(url + path, admins[0]!.secret);
    work.push(
      ...rows.map(({ contractId, ...row }) => {
        const isPaidAtOnce = contractId !== contracts[0];
        return { workspace: id, kind, isPaidAtOnce, ...row } as const;
      }),
    );
  }
  return { id, access, admins, member, viewer, turncoat, assistant: mcpTokens?.admin, work };
}

type Row = Pick<Piece, 'id' | 'version'> & { contractId: string };

async function listed(url: string, key: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { status, text } = await call(`${url}&limit=100${cursor && `&cursor=${cursor}`}`, key);
    if (status !== 200) throw new Error(`${url} could not be listed: ${text}`);
    const { data, nextCursor } = JSON.parse(text) as { data: Row[]; nextCursor: string | null };
    rows.push(...data.map(({ id, version, contractId }) => ({ id, version, contractId })));
    cursor = nextCursor;
  }
  return rows;
}
