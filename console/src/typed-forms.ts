import { Operation } from './operations.js';

export const takeTypedForm = new Operation<{ takeTypedForm: string | null }, { path: string }>(
  'mutation takeTypedForm($path: String!) { takeTypedForm(path: $path) }',
);

export const keepTypedForm = new Operation<{ keepTypedForm: boolean }, { draft: string }>(
  'mutation keepTypedForm($draft: String!) { keepTypedForm(draft: $draft) }',
);
