import { components } from '@payroll/public-api';
import { headerComponents } from './headers.js';
import { parameterComponents } from './parameters.js';
import { paths } from './paths.js';
import { spelledOut, type Json } from './refer.js';
import { responseComponents } from './responses.js';

/** The machine-readable contract (public-api.md §9), made of the same shapes that check requests and write answers. */
export function openApiDocument(serverUrl: string): Json {
  return {
    openapi: '3.1.0',
    info: { title: 'Contract and payroll API', version: '1.0.0' },
    servers: [{ url: serverUrl }],
    security: [{ apiKey: [] }],
    paths: paths(),
    components: {
      schemas: Object.fromEntries(Object.entries(components).map(([name, shape]) => [name, spelledOut(shape)])),
      parameters: parameterComponents,
      headers: headerComponents,
      responses: responseComponents,
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
    },
  };
}
