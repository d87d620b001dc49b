import { Type, type Static } from 'typebox';
import { oneOf } from './scalars.js';

const ERROR_TYPES = [
  'authentication_error',
  'permission_error',
  'validation_error',
  'not_found',
  'conflict',
  'rate_limit_error',
  'api_error',
] as const;
export type ErrorType = (typeof ERROR_TYPES)[number];

export const ErrorDetail = Type.Object({ path: Type.String(), code: Type.String() }, { additionalProperties: false });

/** The one body of every failure (public-api.md §7). */
export const ErrorBody = Type.Object(
  {
    error: Type.Object(
      {
        type: oneOf(ERROR_TYPES),
        code: Type.String(),
        message: Type.String(),
        status: Type.Integer(),
        requestId: Type.String({ description: 'Keep it for support.' }),
        details: Type.Optional(Type.Array(ErrorDetail)),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
export type ErrorBody = Static<typeof ErrorBody>;
