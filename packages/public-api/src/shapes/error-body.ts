import { ERROR_CODES } from '@payroll/kernel';
import { Type, type Static } from 'typebox';
import { strictObject, Id, MAX_PROBLEMS, withDescription, oneOf } from './scalars.js';

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

export const ErrorCode = oneOf(ERROR_CODES, { description: 'What went wrong, for programs.' });

export const ErrorDetail = strictObject('One thing that is wrong with a request.', {
  path: Type.String({
    maxLength: 200,
    description:
      'The property, parameter or header, such as `compensation.rate` or `milestones[0].amount`; empty for the whole body.',
  }),
  code: Type.String({
    maxLength: 64,
    pattern: '^[a-z_]+$',
    description:
      'What kind of wrong: `required`, `unknown_property`, `repeated`, `invalid_type`, `invalid_value`, `invalid_format`, `invalid_characters`, `invalid_encoding`, `invalid_cursor`, `invalid_json`, `too_short`, `too_long`, `out_of_range`, `types_disagree` and others.',
  }),
});

/** The one body of every failure (public-api.md §7). */
export const ErrorBody = strictObject('The body of every failure.', {
  error: strictObject('What went wrong.', {
    type: oneOf(ERROR_TYPES, { description: 'The family of the failure.' }),
    code: ErrorCode,
    message: Type.String({ maxLength: 1000, description: 'What went wrong and what to do, for people.' }),
    status: Type.Integer({ format: 'int32', minimum: 400, maximum: 599, description: 'The HTTP status.' }),
    requestId: withDescription(Id, 'The same as in `X-Request-Id`. Keep it for support.'),
    details: Type.Optional(
      Type.Array(ErrorDetail, {
        maxItems: MAX_PROBLEMS,
        description: 'Everything that is wrong with the request, at once.',
      }),
    ),
  }),
});
export type ErrorBody = Static<typeof ErrorBody>;
