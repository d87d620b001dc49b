import { graphql, type ResultOf } from './operations.js';

export const readInstallation = graphql(
  'query installation { installation { restUrl mcpUrl sendsMail hasOutsideIssuer } }',
);

/** The settings of this deployment that pages show. */
export type Installation = ResultOf<typeof readInstallation>['installation'];
