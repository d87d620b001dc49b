import type { AdmissionAnswer, AdmissionQuestion, Admitted } from '@payroll/admission';
import type { Caller } from '@payroll/gateway';
import { newId, type Scope } from '@payroll/kernel';

/** Admits everyone, unless told otherwise, and remembers what it was asked. */
export class FakeAdmission {
  readonly asked: AdmissionQuestion[] = [];
  /** Whether the newest asker is gone. */
  isGone: () => boolean = () => false;
  answer: (question: AdmissionQuestion) => AdmissionAnswer | Promise<AdmissionAnswer> = () => admitted();

  async ask(question: AdmissionQuestion, isGone: () => boolean = () => false): Promise<AdmissionAnswer> {
    this.isGone = isGone;
    this.asked.push(question);
    return await this.answer(question);
  }
}

export function admitted(principalId: string = newId(), scopes: readonly Scope[] = ['read']): Admitted {
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

/** Answers each field of the graph with what was put there. */
export class FakeGateway {
  readonly documents = new Map<string, string>();
  readonly calls: Call[] = [];
  readonly answers: Record<string, (call: Call) => unknown> = {};
  /** Whether it answers as a service that writes its answers. */
  isText = false;

  prepare(document: string) {
    const [, field = ''] = /^\w+ (\w+)/.exec(document) ?? [];
    this.documents.set(field, document);
    const asked = [...document.matchAll(/(\w+)(?:\([^)]*\))? \{/g)].map(([, name = '']) => name);
    const run = async (call: Call): Promise<Record<string, unknown>> => {
      this.calls.push(call);
      const answers = asked.filter((name) => name in this.answers);
      return Object.fromEntries(
        await Promise.all(answers.map(async (name) => [name, await this.answers[name]!(call)] as const)),
      );
    };
    return {
      runToText: async (variables: Record<string, unknown>, caller: Caller) => {
        const data = await run({ field, variables, caller });
        return this.isText ? { text: JSON.stringify(data[field] ?? null) } : { data };
      },
    };
  }
}
