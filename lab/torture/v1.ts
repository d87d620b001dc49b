import { randomUUID } from 'node:crypto';
import type { Piece } from './system/workspaces.js';

export interface Answer {
  /** 0 without an answer: `text` then says why. */
  status: number;
  headers: Headers;
  text: string;
  ms: number;
}

/** The facade answers within 10 s: a longer wait is a process that waits for a server which has vanished. */
const PATIENCE_MS = 11_000;

/** One request of an integrator; never rejects. */
export async function call(url: string, key: string, request: RequestInit = {}): Promise<Answer> {
  const startedAt = performance.now();
  const headers = new Headers(request.headers);
  headers.set('authorization', `Bearer ${key}`);
  if (request.body) headers.set('content-type', 'application/json');
  try {
    const response = await fetch(url, { ...request, headers, signal: AbortSignal.timeout(PATIENCE_MS) });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, ms: performance.now() - startedAt };
  } catch (error) {
    return { status: 0, headers: new Headers(), text: String(error), ms: performance.now() - startedAt };
  }
}

/** The request of a write, the same each time it is sent. */
export function write(body: object): RequestInit {
  return { method: 'POST', headers: { 'idempotency-key': randomUUID() }, body: JSON.stringify(body) };
}

export function approvalOf({ kind, id, version }: Pick<Piece, 'kind' | 'id' | 'version'>): [string, RequestInit] {
  return [`/${kind}s/${id}/approve`, write({ expectedVersion: version })];
}
