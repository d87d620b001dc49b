import { Client } from 'pg';
import type { System } from './support.js';

/** Direct access to the database as its owner, above all to let time pass without waiting. */
export interface Owner extends AsyncDisposable {
  database: Client;
  /** Moves all rate limits forward by this many seconds. */
  passForLimits: (seconds: number) => Promise<void>;
  /** Lifts the limits of a principal and its workspace for an hour. */
  liftLimits: (principalId: string, workspaceId?: string) => Promise<void>;
}

export async function ownerOf({ stack, workspaces }: System): Promise<Owner> {
  const database = new Client(stack.database.ownerUrl);
  await database.connect();
  return {
    database,
    passForLimits: async (seconds) => {
      await database.query(
        'update workspaces.rate_counter set window_started_at = window_started_at - make_interval(secs => $1)',
        [seconds],
      );
    },
    liftLimits: async (principalId, workspaceId = workspaces[0].id) => {
      const subjects = [`reads/${principalId}`, `writes/${principalId}`, `workspace/${workspaceId}`];
      await database.query(
        `insert into workspaces.rate_counter (subject, window_started_at, used)
         select subject, now() + interval '1 h', -1000000 from unnest($1::text[]) as subject
         on conflict (subject) do update set window_started_at = excluded.window_started_at, used = excluded.used`,
        [subjects],
      );
    },
    [Symbol.asyncDispose]: () => database.end(),
  };
}
