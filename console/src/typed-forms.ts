import { graphql } from './operations.js';

export const takeTypedForm = graphql('mutation takeTypedForm($path: String!) { takeTypedForm(path: $path) }');

export const keepTypedForm = graphql('mutation keepTypedForm($draft: String!) { keepTypedForm(draft: $draft) }');
