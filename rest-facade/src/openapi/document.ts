import { readFileSync } from 'node:fs';
import { components } from '@payroll/public-api';
import { errorExamples } from './errors.js';
import { TAGS } from './explanations.js';
import { parameterComponents, paths } from './paths.js';
import { spelledOut, type Json } from './refer.js';
import { headerComponents, responseComponents } from './responses.js';

/** The machine-readable contract (public-api.md §9), made of the same shapes that check requests and write answers. */
export function openApiDocument(publicUrl: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Contract and payroll API',
      version: '1.0.0',
      summary: 'Contracts, timesheets, milestones, payments and balances of one workspace.',
      description: readFileSync(new URL('../../introduction.md', import.meta.url), 'utf8'),
      contact: { name: 'Support', email: 'support@example.com' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      {
        url: publicUrl,
        description: 'Where this document came from: the test or the production environment.',
        'x-internal': false,
      },
    ],
    security: [{ apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: paths(),
    components: {
      schemas: Object.fromEntries(Object.entries(components).map(([name, shape]) => [name, spelledOut(shape)])),
      parameters: parameterComponents,
      headers: headerComponents,
      responses: responseComponents,
      examples: errorExamples,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'sk_test_… or sk_live_…',
          description: 'An API key of the workspace. See *Authentication* for scopes and roles.',
        },
      },
    },
  };
}
