export { answerError } from './answer-error.js';
export { capped, MOST_COUNTED } from './capped.js';
export { Detour, pageOf, secondFactorPath, signInPath } from './detour.js';
export { draftOf, OPERATION_FIELD, readDraft, type Draft, type SecretField } from './draft.js';
export { Exchange, type Answer, type Download, type Page } from './exchange.js';
export { Filters, Marks, queryOf, Select, type SelectProps } from './filters.js';
export { FormTooOld, TOKEN_FIELD } from './form-guard.js';
export {
  Button,
  Choices,
  Decision,
  Field,
  Form,
  FormContext,
  MoneyField,
  OperationId,
  type ButtonProps,
  type FieldProps,
} from './forms.js';
export type { Notice } from './notice.js';
export { type Crumb, Layout, sectionPath, type Place, type PlaceLink, type Visitor, workPath } from './layout.js';
export {
  Codes,
  Copyable,
  Empty,
  Facts,
  LinkButton,
  Once,
  RowForm,
  RowLink,
  Tag,
  Time,
  type TagLook,
} from './pieces.js';
export { publicOrigin } from './public-origin.js';
export { refusalPage, type Wordings } from './refusal.js';
export { answering, formPage, type ExchangeOf, type FormPage, type RouteTable } from './routes.js';
export { hashSecret, isSecret, newSecret } from './secret.js';
export {
  listOf,
  PERSON_NAME_WORDING,
  problemsOf,
  textOf,
  toProblems,
  type Problem,
  type SentForm,
  type Wording,
} from './sent-form.js';
export { servePages } from './serve-pages.js';
export { bySignIn, CurrentPassword, SignInFields, type SignInForm } from './sign-in-fields.js';
export { type Order, Table } from './table.js';
