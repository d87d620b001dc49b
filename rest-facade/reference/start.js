/* global SwaggerUIBundle */
import { fillContents } from './contents.js';
import { forReading } from './for-reading.js';

/** Swagger UI has dark colours, which wait for a word of the page. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const followColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followColours);
followColours();

// The address after "#" belongs to Swagger UI.
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  document.getElementById('reference').focus();
});

const ui = SwaggerUIBundle({
  url: 'openapi.json',
  domNode: document.getElementById('reference'),
  plugins: [forReading],
  deepLinking: true,
  supportedSubmitMethods: [],
  validatorUrl: null,
  syntaxHighlight: false,
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 3,
  onComplete: () => fillContents(ui),
});
