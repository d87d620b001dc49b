import { hash, randomUUID } from 'node:crypto';
import { createRequestStateCodec, type RequestStateCodec, type ServerContext } from '@modelcontextprotocol/server';
import { canonicalJson } from '@payroll/kernel';
import { callerOf, type Scoped } from '../caller.js';
import { ToolError } from '../tools/tool-error.js';

/** public-api.md §8. */
const REVIEW_SECONDS = 300;

/** Signed, but readable by the host: digests only. The codec binds principal and workspace. */
interface Payload {
  tool: string;
  arguments: string;
  version: string | undefined;
  /** Tells apart two equal reviews begun within the same second, so that one of them can be declined. */
  review: string;
}

export interface Call {
  tool: Scoped;
  arguments: Readonly<Record<string, unknown>>;
}

/** Signs reviews into the state that hosts carry, and verifies what they bring back. */
export class ReviewStates {
  private readonly codecs: readonly RequestStateCodec<Payload>[];
  /** The answers that people gave here, and when each review would have expired. */
  private readonly answers = new Map<string, { answer: 'yes' | 'no' | 'both'; expiresAt: number }>();
  private readonly ttlMs: number;

  /** The first key signs, all are accepted. All processes of a deployment have the same keys. */
  constructor(keys: readonly Uint8Array[], ttlSeconds = REVIEW_SECONDS) {
    const bind = (context: ServerContext): string => {
      const { principalId, workspaceId } = callerOf(context);
      return `${principalId} ${workspaceId}`;
    };
    this.ttlMs = ttlSeconds * 1000;
    this.codecs = keys.map((key) => createRequestStateCodec<Payload>({ key, ttlSeconds, bind }));
  }

  async seal({ tool, arguments: given }: Call, version: string | undefined, context: ServerContext) {
    const payload = { tool: tool.name, arguments: digestOf(given), version, review: randomUUID() };
    return await this.codecs[0]!.mint(payload, context);
  }

  /**
   * What was reviewed.
   * @throws ToolError `CONFIRMATION_MISMATCH` for another tool, caller or arguments, and for an altered or expired state;
   * `CONFIRMATION_DECLINED` for one that a person has declined.
   */
  async open(state: string, { tool, arguments: given }: Call, context: ServerContext): Promise<Payload> {
    const payload = await this.verify(state, context);
    if (payload.tool !== tool.name || payload.arguments !== digestOf(given)) {
      throw mismatch('The arguments or the tool are not those that were reviewed.');
    }
    const before = this.answers.get(payload.review)?.answer;
    if (before === 'no') throw declined();
    if (before === 'both') throw contradicted();
    return payload;
  }

  /**
   * Keeps the answer to a review. Without this, a later yes with the same state would write what was declined, and a no after a yes
   * would claim that nothing was changed. Only this process remembers it; the balancer sends it every call of one person.
   * @throws ToolError `CONFIRMATION_DECLINED` for a no; `CONFIRMATION_MISMATCH` for one after a yes
   */
  settle({ review }: Pick<Payload, 'review'>, answer: 'yes' | 'no'): void {
    const now = Date.now();
    for (const [each, { expiresAt }] of this.answers) {
      if (expiresAt > now) break;
      this.answers.delete(each);
    }
    const isContradicted = answer === 'no' && this.answers.has(review);
    // The oldest stay first.
    this.answers.delete(review);
    this.answers.set(review, { answer: isContradicted ? 'both' : answer, expiresAt: now + this.ttlMs });
    if (isContradicted) throw contradicted();
    if (answer === 'no') throw declined();
  }

  private async verify(state: string, context: ServerContext): Promise<Payload> {
    const opened = await Promise.allSettled(this.codecs.map((codec) => codec.verify(state, context)));
    const payload = opened.find((each) => each.status === 'fulfilled')?.value;
    if (payload && isCanonical(state)) return payload;
    const isExpired = opened.some((each) => each.status === 'rejected' && (each.reason as Error).message === 'expired');
    throw mismatch(isExpired ? 'The review has expired: reviews last five minutes.' : 'The review state is not valid.');
  }
}

function digestOf(given: Call['arguments']): string {
  return hash('sha256', canonicalJson(given), 'base64url');
}

/** The last character of base64url has unused bits: only the spelling that we wrote is accepted. */
function isCanonical(state: string): boolean {
  const signature = state.slice(state.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

export function declined(): ToolError {
  return ToolError.of('CONFIRMATION_DECLINED', 'The person did not confirm. Nothing was changed.');
}

/** The change may have been made after the yes; it is not made after the no. */
function contradicted(): ToolError {
  return ToolError.of(
    'CONFIRMATION_MISMATCH',
    'The person had confirmed this review before, so the change may have been made. Check the current state before you try again.',
  );
}

function mismatch(why: string): ToolError {
  return ToolError.of(
    'CONFIRMATION_MISMATCH',
    `${why} This call changed nothing. Start a fresh review: call the tool again without requestState.`,
  );
}
