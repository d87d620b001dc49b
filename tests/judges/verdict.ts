import type { Stack } from '@payroll/tools/local/assemble-stack';

/** What a judge says. */
export interface Verdict {
  isPassed: boolean;
  /** Numbers, in a few words. */
  summary: string;
  /** What was found, one line each; only looked at when it did not pass. */
  findings: readonly string[];
}

/** What is judged. */
export interface Case {
  /** A file with the openapi.json that the system serves. */
  documentFile: string;
  /** Of `/v1`. */
  baseUrl: string;
  /** Of `/mcp`, with an admin's access token. */
  mcp: { url: string; token: string };
  /** The running system itself, for its subgraphs. */
  stack: Stack;
  /** The folder of the running system's stack.json. */
  stackDir: string;
  /** For what a judge writes down; removed at the end. */
  scratchDir: string;
}

export type Judge = (subject: Case) => Promise<Verdict>;
