import type { Stack } from '@payroll/tools/local/assemble-stack';

export interface Verdict {
  isPassed: boolean;
  /** The figures, in a few words. */
  summary: string;
  /** One line for each finding; printed only if the judge fails. */
  findings: readonly string[];
}

export interface Case {
  /** A file with the openapi.json that the system serves. */
  documentFile: string;
  /** The address of `/v1`. */
  baseUrl: string;
  /** The address of `/mcp`, with an admin's access token. */
  mcp: { url: string; token: string };
  /** The running system, for access to its subgraphs. */
  stack: Stack;
  /** The folder of the running system's stack.json. */
  stackDir: string;
  /** A folder for the judge's own files; removed at the end. */
  scratchDir: string;
}

export type Judge = (subject: Case) => Promise<Verdict>;
