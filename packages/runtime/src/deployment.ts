import { readFileSync } from 'node:fs';

export type Deployment = 'test' | 'live';

/** `live`, or of a cell `live_eu1` (ADR 32). API keys begin with `sk_` and this name, and the database is marked with it. */
export type DeploymentName = Deployment | `${Deployment}_${string}`;

export function deploymentName(deployment: Deployment, cell: string | null): DeploymentName {
  return cell === null ? deployment : `${deployment}_${cell}`;
}

/** On each log line, metric and trace of this process; set before the first of them. */
export const processLabels: { cell?: string } = {};

/** The last sentence of a refusal, for credentials that do not name the cell that issued them. Empty outside of cells. */
export function cellHint(): string {
  const { cell } = processLabels;
  return cell === undefined ? '' : ` This is the cell ${cell}; credentials of another cell are not valid here.`;
}

/** The comment on a database that belongs to this deployment. */
export function claimOf(name: DeploymentName): string {
  return `Deployment: ${name}`;
}

/** Why a database is not for this deployment, by its comment, which its dumps and backups keep; undefined if it is. */
export function otherClaim(comment: string | null, name: DeploymentName): string | undefined {
  const [, owner = name] = /^Deployment: (\w+)$/.exec(comment ?? '') ?? [];
  if (owner === name) return undefined;
  return `DEPLOYMENT and CELL say ${name}, but the database was made for ${owner}: give this deployment one of its own`;
}

/** All parts have the same version. */
export const { version: VERSION } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
