import type { Json } from './refer.js';

const text = (description: string, pattern: string, example: string): Json => ({
  description,
  schema: { type: 'string', maxLength: 256, pattern },
  example,
});

/** Headers of answers, by their names. */
export const headerComponents: Readonly<Record<string, Json>> = {
  'X-Request-Id': {
    description: 'Names this request in every log; the error body repeats it. Keep it for support.',
    schema: { type: 'string', format: 'uuid', maxLength: 36 },
    example: '019b2f6e-6c1d-7a54-8f0e-5d2f3a9b7c41',
  },
  'RateLimit-Policy': text(
    'The limits that hold for the caller: `q` requests in `w` seconds.',
    String.raw`^"[a-z]+";q=\d+;w=\d+(, "[a-z]+";q=\d+;w=\d+)*$`,
    '"reads";q=600;w=60, "workspace";q=2000;w=60',
  ),
  RateLimit: text(
    'What is left: `r` requests, for `t` more seconds. The shared limit of the workspace joins when it is the nearer one.',
    String.raw`^"[a-z]+";r=\d+;t=\d+(, "[a-z]+";r=\d+;t=\d+)*$`,
    '"reads";r=599;t=42',
  ),
  'Retry-After': {
    description: 'Whole seconds after which a retry makes sense.',
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 86_400 },
    example: 17,
  },
  'WWW-Authenticate': text('Always `Bearer`.', '^Bearer$', 'Bearer'),
  'Idempotency-Replayed': {
    description: '`true` when this is the stored answer of an earlier request with the same key; absent otherwise.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  ETag: text('Changes with the document.', '^"[A-Za-z0-9_-]+"$', '"o0bVk3u6c1mQ2rXw"'),
  'Cache-Control': text('How long a copy may be used.', '^[a-z0-9=, -]+$', 'public, max-age=300'),
};

export function headers(...names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export const ON_EVERY_ANSWER = ['X-Request-Id'] as const;
export const ON_ADMITTED = [...ON_EVERY_ANSWER, 'RateLimit-Policy', 'RateLimit'] as const;
