import { createSecretKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { composeServices } from '@apollo/composition';
import { mintActorTokens, type ActorKeys } from '@payroll/admission';
import { newId, SCOPES, SERVICES, type Actor, type ServiceName } from '@payroll/kernel';
import { parse } from 'graphql';
import { repositoryRoot } from '@payroll/infra/processes';
import type { Stack } from '@payroll/tools/local/assemble-stack';

/** The folder in which `npm run judges -- hive` installs Hive's packages. */
export const hiveFolder = join(repositoryRoot, 'tests/judges/hive');

/** Loads a package of this folder's own lockfile, which is not part of the product's build. */
export const load = createRequire(join(hiveFolder, 'package.json')) as <T>(name: string) => T;

// The part of the packages that we use.
type Router = RequestListener & AsyncDisposable & { fetch: (request: Request) => Promise<Response> };
interface Runtime {
  createGatewayRuntime: (options: object) => Router;
}
interface RustPlanner {
  unifiedGraphHandler: unknown;
}

export const PLANNERS = ['JavaScript', 'Rust'] as const;

/** Hive's gateway over a supergraph; it passes each subgraph the token that it received for it. */
export function createRouter(supergraph: string, planner: (typeof PLANNERS)[number]): Router {
  return load<Runtime>('@graphql-hive/gateway-runtime').createGatewayRuntime({
    ...(planner === 'Rust' && {
      unifiedGraphHandler: load<RustPlanner>('@graphql-hive/router-runtime').unifiedGraphHandler,
    }),
    supergraph,
    // By default, concurrent callers with the same query share one request, which only a benchmark has.
    transportEntries: { '*.http': { options: { deduplicateInflightRequests: false } } },
    logging: false,
    maskedErrors: false,
    propagateHeaders: {
      fromClientToSubgraphs: ({ request, subgraphName }: { request: Request; subgraphName: string }) => ({
        authorization: request.headers.get(headerFor(subgraphName.toLowerCase())),
      }),
    },
  });
}

const headerFor = (service: string): string => `x-actor-${service}`;

/** Tokens for the requests to a router: those of an internal team's service, as admission would issue them. */
export function actorTokens(stack: Stack, workspaceId: string): Record<string, string> {
  const tokens = tokensOf(stack, workspaceId);
  return Object.fromEntries(SERVICES.map((service) => [headerFor(service), `Bearer ${tokens[service]}`]));
}

export function tokensOf({ secrets }: Stack, workspaceId: string): Record<ServiceName, string> {
  const keys = Object.fromEntries(SERVICES.map((each) => [each, createSecretKey(secrets.actorKeys[each], 'hex')]));
  const actor: Actor = { kind: 'service', principalId: newId(), workspaceId, role: null, scopes: SCOPES };
  return mintActorTokens(keys as ActorKeys, { actor, via: 'graphql', requestId: newId() }, new Date());
}

export const urlOf = ({ ports }: Stack, service: ServiceName): string => `http://127.0.0.1:${ports[service]}/graphql`;

/** The supergraph of the running subgraphs. */
export async function composed(stack: Stack): Promise<string> {
  const schemas = SERVICES.map(async (name) => {
    const text = await readFile(join(repositoryRoot, 'services', name, 'schema.graphql'), 'utf8');
    return { name, url: urlOf(stack, name), typeDefs: parse(text) };
  });
  const { supergraphSdl, errors } = composeServices(await Promise.all(schemas));
  if (errors) throw new Error(errors.map(({ message }) => message).join('\n'));
  return supergraphSdl;
}
