/* global SwaggerUIBundle */

/** The page is for reading: keys are never put in browser code, so nothing is sent from here and nobody signs in. */
const forReading = ({ React }) => ({
  wrapComponents: {
    ServersContainer: () => () => null,
    AuthorizeBtnContainer: () => () => null,
    authorizeOperationBtn: () => () => null,
    JsonSchemaForm: () => () => null,
    // A link inside of the button that opens an operation is no place for a keyboard; the address follows all the same.
    DeepLink:
      () =>
      ({ text }) =>
        React.createElement('span', null, text),
    // The choice of an example comes without a name for those who do not see it.
    ExamplesSelect: (Original) => (props) =>
      React.createElement('label', null, React.createElement(Original, { ...props, showLabels: true })),
  },
});

SwaggerUIBundle({
  url: 'openapi.json',
  domNode: document.getElementById('reference'),
  plugins: [forReading],
  deepLinking: true,
  supportedSubmitMethods: [],
  validatorUrl: null,
  syntaxHighlight: false,
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 3,
});
