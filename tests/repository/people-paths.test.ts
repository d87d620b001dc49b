import { createSecretKey } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createLog } from '@payroll/runtime';
import type { FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { createApp } from '../../console/src/app.js';
import { webRoutes } from '../../services/workspaces/src/service.js';
import { createWeb } from '../../services/workspaces/src/web/create-web.js';
import { CONSOLE_PATHS } from '@payroll/infra/balancer/console-paths';

// People have one origin; CONSOLE_PATHS decides which process serves a path. Checked against the routes of both.

const ORIGIN = 'http://127.0.0.1:4002';
const settings = { origin: ORIGIN, trustedProxies: [] };
const log = createLog('people-paths', 'silent');
const ready = () => Promise.resolve([]);
/** Never called: no request is made. */
const none = {} as never;
const gateway = { prepare: () => none } as never;
const oauth = {
  issuer: ORIGIN,
  mcpUrl: `${ORIGIN}/mcp`,
  secret: createSecretKey(Buffer.alloc(32)),
  metadataRanges: [],
  outside: null,
};

/** Every path that a server answers, with `x` in place of a parameter. */
async function pathsOf(create: () => Promise<FastifyInstance>): Promise<Set<string>> {
  const paths = new Set<string>();
  const listen = (made: unknown): void => {
    const { fastify } = made as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ url }) => void paths.add(url.replaceAll(/:\w+|\*/g, 'x')));
  };
  subscribe('fastify.initialization', listen);
  try {
    await using app = await create();
    await app.ready();
  } finally {
    unsubscribe('fastify.initialization', listen);
  }
  return paths;
}

const consolePaths = await pathsOf(() =>
  createApp({ ...settings, admission: none, gateway, deployment: 'test', log, waitingFor: ready }),
);
const workspacesPaths = await pathsOf(() => {
  const inside = { em: none, commands: none, bus: none, sessions: none, secondFactors: none };
  const web = { ...inside, settings: settings as never, log, mailer: null };
  return createWeb(web, webRoutes({ em: none, log }, oauth), ready);
});

/** Paths that every process with pages has: its health checks and the kit's assets. */
const both = [...consolePaths].filter((path) => workspacesPaths.has(path));

test('CONSOLE_PATHS matches every path of the console and none of workspaces', () => {
  const ownOf = (paths: Set<string>): string[] => [...paths].filter((path) => !both.includes(path));
  expect(ownOf(consolePaths).filter((path) => !CONSOLE_PATHS.test(path))).toEqual([]);
  expect(ownOf(workspacesPaths).filter((path) => CONSOLE_PATHS.test(path))).toEqual([]);
  expect(ownOf(consolePaths)).toEqual(expect.arrayContaining(['/workspaces/x/contracts', '/workspaces/x/keys/new']));
  expect(ownOf(workspacesPaths)).toEqual(
    expect.arrayContaining(['/', '/sign-in', '/oauth/authorize', '/workspaces', '/.well-known/openid-configuration']),
  );
});

test('paths that both processes serve are health checks and identical assets', () => {
  expect(both.filter((path) => !/^\/(?:livez|readyz|assets\/[\w-]+\.[0-9a-f]{12}\.\w+)$/.test(path))).toEqual([]);
  expect(both.length).toBeGreaterThan(3);
});
