/** The page is for reading: keys are never put in browser code, so nothing is sent from here and nobody signs in. */
export const forReading = ({ React }) => {
  const element = React.createElement;
  return {
    wrapComponents: {
      ServersContainer: () => () => null,
      AuthorizeBtnContainer: () => () => null,
      authorizeOperationBtn: () => () => null,
      JsonSchemaForm: () => () => null,
      // A link inside of the button that opens an operation is no place for a keyboard; the address follows all the same.
      DeepLink:
        () =>
        ({ text }) =>
          element('span', null, text),
      // The choice of an example comes without a name for those who do not see it.
      ExamplesSelect: (Original) => (props) =>
        element('label', null, element(Original, { ...props, showLabels: true })),
      // An example of a request stands before what is answered; errors have one form, and are told in a line each.
      responses: (Original) => (props) => {
        const { path, method, responses, specSelectors } = props;
        const operation = specSelectors.specJson().getIn(['paths', path, method]);
        const isError = (_answer, status) => Number(status) >= 400;
        return element(
          'div',
          null,
          sampleOf(element, operation),
          element(Original, { ...props, responses: responses.filterNot(isError) }),
          errorsOf(element, operation.get('responses').filter(isError)),
        );
      },
    },
  };
};

function sampleOf(element, operation) {
  const samples = operation.get('x-codeSamples');
  if (samples === undefined) return null;
  const blocks = samples.map((sample) => {
    const [label, source] = [sample.get('label'), sample.get('source')];
    const name = `The request with ${label}`;
    return element('pre', { key: label, tabIndex: 0, 'aria-label': name }, element('code', null, source));
  });
  return element('section', { className: 'sample' }, element('h4', null, 'Request'), ...blocks);
}

/** Each with its own words in this operation. */
function errorsOf(element, errors) {
  const rows = errors.entrySeq().map(([status, answer]) => {
    const words = answer.get('description').split(/(`[^`]+`)/);
    const parts = words.map((word, n) =>
      word.startsWith('`') ? element('code', { key: n }, word.slice(1, -1)) : word,
    );
    return element('div', { key: status }, element('dt', null, status), element('dd', null, parts));
  });
  return element(
    'details',
    { className: 'errors' },
    element('summary', null, `Errors: ${[...errors.keys()].join(', ')}`),
    element('dl', null, [...rows]),
  );
}
