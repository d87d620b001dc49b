import { draftRules } from '@payroll/kernel';
import { draftDialogue, type DraftBasics } from '../confirmation/draft-dialogue.js';
import { Draft } from './inputs.js';
import { resultOf, type Tool } from './tool.js';

/** Needs no `read`: its dialogue shows what the model has sent, and reads nothing. */
export const createContractDraft: Tool = {
  name: 'create_contract_draft',
  title: 'Create a contract draft',
  description:
    'Creates a contract draft once a person has confirmed it. People complete, review and sign it in the application: this tool neither signs nor activates it, and takes no pay terms.',
  scopes: ['contracts:write'],
  hints: { readOnly: false, destructive: false },
  operation: 'createContract',
  input: Draft,
  rules: draftRules,
  run: async ({ arguments: given, caller, facade, confirmation, signal }) => {
    const { intentId, ...body } = given as { intentId: string } & DraftBasics;
    const decision = await confirmation.decide({
      tool: { name: 'create_contract_draft', scopes: ['contracts:write'] },
      arguments: given,
      review: async () => ({ message: draftDialogue(caller, body) }),
    });
    if (decision.kind === 'answer') return decision.result;
    const { assertion } = decision.caller;
    const write = { body, idempotencyKey: intentId };
    return resultOf(await facade.call({ operation: 'createContract', write, assertion, signal }));
  },
};
