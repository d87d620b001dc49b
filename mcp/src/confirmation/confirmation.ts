import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import type { Caller } from '../caller.js';
import type { Scoped } from '../tools/scopes.js';

/** A write that a person is to confirm. */
export interface Proposal {
  tool: Scoped;
  arguments: Readonly<Record<string, unknown>>;
  /** Reads what is decided about and words the question; `version` is what the person will have seen. */
  review: () => Promise<Review>;
}

interface Review {
  message: string;
  version?: string;
}

export type Decision =
  /** A person has said yes to this very proposal; the caller as of this moment, and the version that was shown. */
  | { kind: 'confirmed'; caller: Caller; version?: string }
  /** What the host is told instead: most often, to ask the person. */
  | { kind: 'answer'; result: CallToolResult | InputRequiredResult };

/**
 * Whether a person agrees. How a host is asked differs between the eras of the protocol; that nothing happens without a
 * yes does not.
 */
export interface Confirmation {
  /** @throws ToolError `CONFIRMATION_…` */
  decide(proposal: Proposal): Promise<Decision>;
}
