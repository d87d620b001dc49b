import type { AdmissionResponse, AdmissionRequest, AdmissionGranted } from '@payroll/admission';
import type { Caller } from '@payroll/gateway';
import { DECIDED_CODES, DomainError, newId, type Scope } from '@payroll/kernel';

/** Admits everyone by default, and records its questions. */
export class FakeAdmission {
  readonly asked: AdmissionRequest[] = [];
  /** Whether the newest caller has disconnected. */
  isGone: () => boolean = () => false;
  answer: (question: AdmissionRequest) => AdmissionResponse | Promise<AdmissionResponse> = () => admitted();

  async ask(question: AdmissionRequest, isGone: () => boolean = () => false): Promise<AdmissionResponse> {
    this.isGone = isGone;
    this.asked.push(question);
    return await this.answer(question);
  }
}

export function admitted(principalId: string = newId(), scopes: readonly Scope[] = ['read']): AdmissionGranted {
  const actor = { kind: 'api_key', principalId, workspaceId: newId(), role: 'admin', scopes } as const;
  return {
    admitted: true,
    origin: { actor, via: 'rest', requestId: 'r' },
    tokens: { workspaces: 'w', contracts: 'c', review: 'r', payments: 'p' },
    rateLimits: [
      { name: 'workspace', quota: 2000, remaining: 1998, resetSeconds: 42 },
      { name: 'reads', quota: 600, remaining: 599, resetSeconds: 42 },
    ],
  };
}

export interface Call {
  field: string;
  variables: Record<string, unknown>;
  caller: Caller;
}

/** Answers each field of the graph as configured. */
export class FakeGateway {
  readonly documents = new Map<string, string>();
  readonly calls: Call[] = [];
  readonly answers: Record<string, (call: Call) => unknown> = {};

  prepare(document: string) {
    const [, field = ''] = /^\w+ (\w+)/.exec(document) ?? [];
    this.documents.set(field, document);
    // The operation has the name of its field.
    const asked = new Set([...document.matchAll(/(\w+)(?:\([^)]*\))? \{/g)].map(([, name = '']) => name));
    const run = async (call: Call): Promise<Record<string, unknown>> => {
      this.calls.push(call);
      const answers = [...asked].filter((name) => name in this.answers);
      return Object.fromEntries(
        await Promise.all(answers.map(async (name) => [name, await this.answers[name]!(call)] as const)),
      );
    };
    return {
      run: (variables: Record<string, unknown>, caller: Caller) => run({ field, variables, caller }),
      runToText: async (variables: Record<string, unknown>, caller: Caller) => {
        const data = await run({ field, variables, caller });
        return JSON.stringify(data[field] ?? null);
      },
    };
  }
}

/** Decides each operation once, as services do, and reports a replay. */
export class FakeOperations {
  /** Results of applied operations, by operation id. */
  readonly applied = new Map<string, unknown>();
  private readonly refused = new Map<string, DomainError>();

  /** `decide` returns the result or throws the refusal. An error with another code is not recorded. */
  answer({ variables, caller }: Call, decide: () => unknown): unknown {
    const id = String(variables['operationId']);
    if (this.applied.has(id)) {
      caller.onReplay?.();
      return this.applied.get(id);
    }
    try {
      const refusal = this.refused.get(id);
      if (refusal) throw refusal;
      const result = decide();
      this.applied.set(id, result);
      return result;
    } catch (error) {
      if (error instanceof DomainError && DECIDED_CODES.has(error.code)) {
        this.refused.set(id, error);
        caller.onRefusalRecorded?.();
      }
      throw error;
    }
  }
}
