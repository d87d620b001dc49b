import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '@payroll/kernel';
import { exchange, inTime, openPool, wasNeverSent, wasUnanswered, type Settings } from '@payroll/runtime';
import type { Pool } from 'undici';
import type { Requester } from './client.js';

export interface AdmissionSettings {
  /** The origin at which workspaces answers admission. */
  url: string;
  /** Identifies the edge; known to it and to workspaces only. */
  secret: string;
}

export function admissionSettings(s: Settings): AdmissionSettings {
  return { url: s.url('ADMISSION_URL', ['http:', 'https:']), secret: s.secret('ADMISSION_SECRET') };
}

/** Long enough to reach another process, too short for a caller to notice. */
const PAUSE_MS = 20;
/** Longer than any question waits. */
const ANSWERED_WITHIN_MS = 3_000;

/** `POST /admission` and `POST /person` of workspaces, over a pool of keep-alive connections. */
export class AdmissionPeer implements Requester, AsyncDisposable {
  private readonly pool: Pool;
  private readonly headers: Record<string, string>;

  constructor({ url, secret }: AdmissionSettings) {
    this.pool = openPool(url, { connections: 16, answeredWithinMs: ANSWERED_WITHIN_MS });
    this.headers = { authorization: `Bearer ${secret}` };
  }

  async request(
    questions: readonly unknown[],
    timeoutMs: number,
    path: '/admission' | '/person' = '/admission',
  ): Promise<unknown> {
    try {
      return JSON.parse(await inTime(timeoutMs, () => this.send(path, JSON.stringify(questions))));
    } catch (error) {
      throw unavailable('Admission', error);
    }
  }

  /** Repeats once if the connection ended without an answer: counting a request twice is harmless. */
  private async send(path: string, body: string): Promise<string> {
    for (let isRepeated = false; ; isRepeated = true) {
      let answer = '';
      const failure = await exchange(this.pool, path, { body, headers: this.headers }, (line) => {
        answer = line;
      });
      if (!failure) return answer;
      if (isRepeated || !(wasNeverSent(failure) || wasUnanswered(failure))) throw failure;
      await pause(PAUSE_MS);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pool.close();
  }
}
