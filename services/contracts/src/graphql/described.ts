import type { DraftField } from '@payroll/kernel';

/** GraphQL cannot express bounds or defaults of nullable fields, so descriptions state them. */
export function described(part: DraftField): string {
  const byDefault = 'default' in part ? ` By default ${part.default}.` : '';
  return `${part.description}${bounds(part)}${byDefault}`;
}

function bounds(part: DraftField): string {
  switch (part.kind) {
    case 'text': {
      if (part.maxLength === Number.POSITIVE_INFINITY) return '';
      if (part.minLength === part.maxLength) return ` ${part.minLength} characters.`;
      return part.minLength === 0
        ? ` At most ${part.maxLength} characters.`
        : ` ${part.minLength}–${part.maxLength} characters.`;
    }
    case 'amount':
      return 'minimum' in part.bound ? ' Zero or more.' : ' Above zero.';
    case 'count':
      return ` ${part.minimum} or more.`;
    case 'percentage':
      return ' 0–100.';
    default:
      return '';
  }
}
