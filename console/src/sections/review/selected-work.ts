import { isId } from '@payroll/kernel';
import { listOf, type SentForm } from '@payroll/pages';
import type { Kind, QueuedWork } from './operations.js';
import { KINDS } from './words.js';

/** Twice the rows of a page: our forms never send more. */
const MOST = 100;

/** A piece of work in the version that was shown, with the operation id of the decision. */
export interface SelectedWork {
  kind: Kind;
  id: string;
  version: string;
  /** Empty until a decision is submitted. */
  operationId: string;
}

/** As one value of a form. */
export function choiceOf({ kind, id, version }: Pick<QueuedWork, 'kind' | 'id' | 'version'>, operationId = ''): string {
  return [kind, id, version, operationId].join('.');
}

/** The selected pieces, each once; a group stands for all its pieces. Values that none of our forms sends are ignored. */
export function readChoices(form: SentForm): SelectedWork[] {
  const texts = listOf(form, 'piece').flatMap((text) => text.split(' '));
  const read = texts.map((text): SelectedWork => {
    const [kind = '', id = '', version = '', operationId = ''] = text.split('.');
    return { kind: kind as Kind, id, version, operationId };
  });
  const valid = read.filter(({ kind, id, version }) => Object.hasOwn(KINDS, kind) && isId(id) && version !== '');
  return [...new Map(valid.map((each) => [each.id, each])).values()].slice(0, MOST);
}
