import { randomUUID } from 'node:crypto';
import type { Stack } from '../local/assemble-stack.js';
import { message } from './crowd.js';
import type { Request } from './load.js';

/** Something that answers requests, and the processes that its answers cost. */
export interface Door {
  name: string;
  origin: string;
  processes: () => Readonly<Record<string, number>>;
}

export interface RestDoor extends Door {
  get: (path: string) => Request;
  post: (path: string, body: object) => Request;
}

export interface GraphDoor extends Door {
  ask: (query: string, variables: object) => Request;
}

export interface ToolDoor extends Door {
  call: (tool: string, given: object) => Request;
}

/** The system's own doors, of its first workspace. */
export function ourDoors(stack: Stack) {
  const { rest, graphql, mcp, workspaces } = stack.file;
  const { id, apiKeys, mcpTokens } = workspaces![0]!;
  const processes = () => stack.file.processes;
  const ours = (url: string): Door => ({ name: 'ours', origin: new URL(url).origin, processes });
  const service = { authorization: `Bearer ${graphql.token}`, 'x-workspace-id': id };
  return {
    v1: restDoor(ours(rest.url), '/v1', { authorization: `Bearer ${apiKeys.admin}` }),
    graph: graphDoor(ours(graphql.url), () => service),
    mcp: toolDoor(ours(mcp!.url), { authorization: `Bearer ${mcpTokens!.admin}` }),
  };
}

export function restDoor(door: Door, prefix: string, headers: Record<string, string>): RestDoor {
  return {
    ...door,
    get: (path) => ({ method: 'GET', path: prefix + path, headers }),
    post: (path, body) => json(prefix + path, { ...headers, 'idempotency-key': randomUUID() }, body),
  };
}

export function graphDoor(door: Door, headers: () => Record<string, string>): GraphDoor {
  return { ...door, ask: (query, variables) => json('/graphql', headers(), { query, variables }) };
}

function toolDoor(door: Door, headers: Record<string, string>): ToolDoor {
  return { ...door, call: (name, given) => message(headers, 'tools/call', { name, arguments: given }) };
}

function json(path: string, headers: Record<string, string>, body: object): Request {
  return {
    method: 'POST',
    path,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}
