import { DRAFT_DEFAULTS, type DraftField, type DraftFields, type ObjectField } from '@payroll/kernel';
import { Button, Field, FormContext, MoneyField, Select } from '@payroll/pages';
import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { CONTRACT_TYPES, COUNTRIES, CURRENCIES } from '../../../words.js';
import { type Content, isFilled } from './content.js';
import {
  DRAFT_FORM,
  inWords,
  isFurther,
  isIn,
  isKnown,
  isNeeded,
  isPart,
  labelOf,
  type List,
  rowName,
} from './table.js';

interface DraftFormProps {
  filled: Content;
  missing: readonly string[];
  /** The button that was pressed: `kind` for the fields of the kind that is chosen, `all` for those that it does not need, too. */
  show: string;
  /** Offered before the others. */
  usualCurrencies: readonly string[];
}

/** The fields that this kind of contract needs, and all that are filled in, missing or wrong. Optional ones are folded away until then. */
export function DraftFormFields({ filled, missing, show, usualCurrencies }: DraftFormProps): VNode {
  const isWhole = show === 'all';
  const { problems } = useContext(FormContext);
  const asked = [...missing, ...problems.flatMap(({ field }) => field ?? [])];
  const { values } = filled;
  const isUsed = (path: string): boolean => isFilled(path, filled) || asked.some((each) => isIn(path, each));
  const isShown = (path: string): boolean =>
    isWhole || (isKnown(path, values) ? asked.includes(path) : isUsed(path) || isNeeded(path, values));
  const currencyAt = AMOUNTS_WITH_CURRENCY.find(isShown);
  const form = { filled, usualCurrencies, currencyAt, isAgain: show === 'kind' };
  const all = Object.entries(DRAFT_FORM);
  const singles = all.filter(([, field]) => !isPart(field));
  const further = [...singles, ...fieldsAt('compensation', DRAFT_FORM['compensation'] as ObjectField)].filter(
    ([path]) => isFurther(path) && isShown(path),
  );
  return (
    <>
      <Fields {...form} of={singles.filter(([path]) => !isFurther(path) && isShown(path))} />
      {all.map(
        ([name, field]) =>
          (field.kind === 'object' || field.kind === 'list') &&
          isShown(name) && (
            <details key={name} id={name} open={!FOLDED.has(name) || isUsed(name)}>
              <summary autofocus={isWhole && name === 'compensation'}>{labelOf(name)}</summary>
              {field.kind === 'list' ? (
                <Rows {...form} list={name as List} item={field.item} />
              ) : (
                <Fields {...form} of={fieldsAt(name, field).filter(([path]) => !isFurther(path) && isShown(path))} />
              )}
            </details>
          ),
      )}
      <details open={further.some(([path]) => isUsed(path))}>
        <summary>Further terms</summary>
        <Fields {...form} of={further} />
      </details>
      {!isWhole && (
        <Button look="plain" name="show" value="all">
          Show the fields of all kinds of contracts
        </Button>
      )}
    </>
  );
}

/** Optional sections. */
const FOLDED: ReadonlySet<string> = new Set(['invoicingSettings', 'benefits']);

type Placed = readonly [path: string, field: DraftField];

function fieldsAt(path: string, { fields }: { fields: DraftFields }): Placed[] {
  return Object.entries(fields).map(([name, field]) => [`${path}.${name}`, field]);
}

interface FormProps extends Pick<DraftFormProps, 'usualCurrencies'> {
  filled: Content;
  /** The amount beside which the currency is chosen. */
  currencyAt: string | undefined;
  /** Whether the fields of the kind were requested: the page goes on there. */
  isAgain: boolean;
}

function Fields({ of, ...form }: FormProps & { of: readonly Placed[] }): VNode {
  return (
    <>
      {of.map(([path, field]) => (
        <One key={path} {...form} field={field} path={path} />
      ))}
    </>
  );
}

/** An empty row is ignored; existing rows keep their ids. */
function Rows({ list, item, ...form }: FormProps & { list: List; item: ObjectField }): VNode {
  const rows = form.filled.rows[list];
  return (
    <>
      {rows.map((id, n) => (
        <fieldset key={n} class="field row">
          <legend>{rowName(list, n)}</legend>
          {id !== '' && <input type="hidden" name={`${list}[${n}].id`} value={id} />}
          <Fields {...form} of={fieldsAt(`${list}[${n}]`, item)} />
        </fieldset>
      ))}
      {rows.some((id) => id !== '') && <p class="hint">{EMPTIED[list]}</p>}
      <button type="submit" class="button button-plain" name="add" value={list}>
        Add a row
      </button>
    </>
  );
}

const EMPTIED: Readonly<Record<List, string>> = {
  milestones: 'Milestones that are saved stay, and can be changed. New rows that you leave empty are not saved.',
  creatorDeliverables: 'Empty all fields of a deliverable to take it out.',
};

const OF_WORDS = (words: readonly string[]): Record<string, string> =>
  Object.fromEntries(words.map((word) => [word, inWords(word)]));

function One({ field, path, filled, isAgain, ...form }: FormProps & { field: DraftField; path: string }): VNode | null {
  const value = filled.values[path] ?? '';
  const label = labelOf(path).replace(/^\w+ \d+: /, '');
  const named = { name: path, label, value };
  switch (field.kind) {
    case 'word':
      return path === 'contractType' ? (
        <Kind {...named} autofocus={isAgain} />
      ) : (
        <Select {...named} options={{ ...NOT_SAID, ...OF_WORDS(field.words) }} />
      );
    case 'flag':
      return <Select {...named} options={{ ...NOT_SAID, yes: 'Yes', no: 'No' }} />;
    case 'day':
      return <Field {...named} type="date" />;
    case 'email':
      return <Field {...named} type="email" />;
    case 'texts':
      return <Field {...named} type="lines" hint="One on each line." />;
    case 'text':
      // The API takes any two letters.
      if (field.maxLength === 2) return <Select {...named} options={{ [value]: value, ...NOT_SAID, ...COUNTRIES }} />;
      return <Field {...named} {...((isLong(field.maxLength, path) || value.includes('\n')) && { type: 'lines' })} />;
    case 'amount':
      return <AmountField {...named} {...form} filled={filled} />;
    case 'currency':
      return form.currencyAt === undefined ? (
        <Select {...named} hint={OF_CURRENCY} options={currenciesWith(value, form.usualCurrencies)} />
      ) : null;
    default:
      return <Field {...named} />;
  }
}

/** Another kind needs other fields, which the form has after it was sent. */
function Kind(named: { name: string; label: string; value: string; autofocus: boolean }): VNode {
  return (
    <>
      <Select {...named} options={CONTRACT_TYPES} />
      <Button look="plain" name="show" value="kind">
        Show the fields of this kind
      </Button>
    </>
  );
}

type AmountProps = Omit<FormProps, 'isAgain'> & { name: string; label: string; value: string };

/** The currency is edited next to one amount and shown next to every other one. */
function AmountField({ filled, currencyAt, usualCurrencies, ...named }: AmountProps): VNode {
  const currency = filled.values[CURRENCY] ?? '';
  return named.name === currencyAt ? (
    <MoneyField
      {...named}
      hint={OF_CURRENCY}
      currency={{ name: CURRENCY, value: currency, options: currenciesWith(currency, usualCurrencies) }}
    />
  ) : (
    <MoneyField {...named} currency={currency || DRAFT_DEFAULTS.currency} />
  );
}

const AMOUNTS_WITH_CURRENCY = ['compensation.rate', 'compensation.annualSalary'];
const CURRENCY = 'compensation.currency';
const OF_CURRENCY = 'All amounts of the contract are in its currency.';

/** These two have no length limit, but are short. Any text with line breaks gets a multi-line field. */
function isLong(maxLength: number, path: string): boolean {
  return maxLength > 300 && path !== 'workSchedule' && path !== 'invoicingSettings.cycleClosesOn';
}

const NOT_SAID = { '': '–' };

/** The API takes any three letters. Keys stay in the order in which they first stand. */
const currenciesWith = (value: string, usual: readonly string[]) => ({
  [value]: value,
  '': `Not chosen: ${DRAFT_DEFAULTS.currency}`,
  ...Object.fromEntries(usual.map((code) => [code, code])),
  ...CURRENCIES,
});
