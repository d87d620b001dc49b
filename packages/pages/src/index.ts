export { answerError, type ErrorPageTexts } from './answer-error.js';
export { SignInRedirect, formPagePath, secondFactorPath, signInPath } from './sign-in-redirect.js';
export { PageContext, type PageResponse, type FileResponse, type PageView } from './page-context.js';
export { Filters, Marks, queryOf, Select } from './filters.js';
export { StaleFormError } from './form-guard.js';
export {
  Button,
  ChoiceGroup,
  ConfirmButtons,
  Field,
  Form,
  FormContext,
  MoneyField,
  OperationId,
  type ButtonProps,
  type FieldProps,
} from './forms.js';
export {
  type Crumb,
  Layout,
  type Notice,
  sectionPath,
  type WorkspaceNav,
  type PlaceLink,
  type SignedInUser,
  workPath,
} from './layout.js';
export {
  capped,
  Codes,
  Copyable,
  EmptyState,
  DefinitionList,
  LinkButton,
  MAX_COUNTED,
  OneTimeSecret,
  RowForm,
  RowLink,
  Tag,
  Time,
  type TagLook,
} from './pieces.js';
export { hashSecret, isSecret, newSecret } from './secret.js';
export {
  listOf,
  OPERATION_FIELD,
  parseSavedForm,
  PERSON_NAME_WORDING,
  problemsOf,
  savedFormOf,
  textOf,
  TOKEN_FIELD,
  toProblems,
  type FieldMessages,
  type Problem,
  type SavedForm,
  type SecretField,
  type SentForm,
} from './sent-form.js';
export { servePages, mountRoutes, formPage, publicOrigin, type FormPage, type RouteTable } from './serve-pages.js';
export { signInResponse, CurrentPassword, SignInFields, type SignInForm } from './sign-in-fields.js';
export { type Order, Table } from './table.js';
