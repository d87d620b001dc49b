import { graphql, type ResultOf } from './operations.js';

export const readInstallation = graphql(
  'query installation { installation { restUrl mcpUrl sendsMail hasOutsideIssuer } }',
);

/** What this installation offers to every workspace. */
export type Installation = ResultOf<typeof readInstallation>['installation'];
