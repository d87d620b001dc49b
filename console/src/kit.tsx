import * as kit from '@payroll/pages';
import type { VNode } from 'preact';
import { Amount, Day, Status, UnreadPayments, WorkerLink } from './pieces.js';
import type { RouteTable } from './routes.js';
import { ChangeNotice } from './snapshot.js';
import { CURRENCIES, PAYMENT_STATUSES, TIMESHEET_STATUSES } from './words.js';

/** One page with every component in its states and no data, for development and for the screenshot test. */
export const kitPages: RouteTable = {
  'GET /kit': (ctx) => {
    ctx.place = PLACE;
    const body = (
      <>
        {Object.entries(EXAMPLES).map(([name, Example]) => (
          <section key={name} id={name}>
            <h2>{name}</h2>
            <figure>
              <Example />
            </figure>
          </section>
        ))}
      </>
    );
    const lead = 'Every component of the pages, in its states.';
    return Promise.resolve({ title: 'Kit', lead, problems: PROBLEMS, status: 200, body });
  },
};

const PLACE: kit.WorkspaceNav = {
  workspaceName: 'Northwind Studio',
  deployment: 'test',
  home: '#',
  search: '#',
  navigation: [
    [{ label: 'The current section', path: '#here', isHere: true }],
    [
      { label: 'Another section', path: '#other', isHere: false },
      { label: 'A section of tests', path: '#test', isHere: false, isTest: true },
    ],
  ],
  crumbs: [{ label: 'The page above', path: '#above' }],
};

const PROBLEMS: readonly kit.Problem[] = [
  { field: 'wrong-text', message: 'Enter a title' },
  { field: 'wrong-choice', message: 'Choose a role' },
  { field: 'wrong-amount', message: 'Enter an amount, such as 85.50' },
];

const MONEY = { amount: '1234567.50', currency: 'EUR' };
const ROWS = [
  { id: '1', title: 'Field research', status: 'completed', note: 'With a note', ...MONEY },
  { id: '2', title: 'A title that is longer than a phone is wide', status: 'failed', note: null, ...MONEY },
];
const CHOICES = [{ value: 'one', hint: 'With a hint.' }, { value: 'two', label: 'Another' }, { value: 'three' }];
const OPTIONS = { '': 'All', one: 'The first', two: 'The second' };
const AT = '2027-03-01T09:30:00.000000Z';

const EXAMPLES: Readonly<Record<string, () => VNode>> = {
  Amount: () => <Amount of={MONEY} />,
  Button: () => (
    <p class="actions">
      {(['main', 'quiet', 'plain', 'danger'] as const).map((look) => (
        <kit.Button key={look} look={look}>
          {look}
        </kit.Button>
      ))}
    </p>
  ),
  ChangeNotice: () => (
    <ChangeNotice changes={[{ id: 'Title', seen: '', now: 'Field research', typed: 'Research' }]}>
      Somebody else was faster.
    </ChangeNotice>
  ),
  ChoiceGroup: () => (
    <>
      <kit.ChoiceGroup name="radio" legend="One of them" type="radio" choices={CHOICES} chosen={['one']} />
      <kit.ChoiceGroup name="boxes" legend="Some of them" type="checkbox" choices={CHOICES} chosen={['two', 'three']} />
      <kit.ChoiceGroup name="wrong-choice" legend="With an error" type="radio" choices={CHOICES} />
    </>
  ),
  Codes: () => <kit.Codes of={['read', 'contracts:write']} />,
  Copyable: () => <kit.Copyable text="RF18 5390 0754 7034" />,
  CurrentPassword: () => <kit.CurrentPassword name="current" label="Current password" />,
  Day: () => (
    <>
      <Day of="2027-03-01" />, or <Day of={null} />
    </>
  ),
  ConfirmButtons: () => (
    <>
      <kit.ConfirmButtons label="Save" back="#" keep="Leave it as it is" />
      <kit.ConfirmButtons look="danger" label="Delete" back="#" keep="Keep it" />
    </>
  ),
  EmptyState: () => <kit.EmptyState title="Nothing here yet">What appears here, and what to do next.</kit.EmptyState>,
  DefinitionList: () => (
    <kit.DefinitionList of={{ Worker: 'Wilhelmina Featherstonehaugh', Amount: <Amount of={MONEY} /> }} />
  ),
  Field: () => (
    <>
      <kit.Field name="text" label="Text" hint="With a hint." value="Field research" />
      <kit.Field name="day" label="Day" type="date" value="2027-03-01" />
      <kit.Field name="lines" label="Lines" type="lines" value={'One\nTwo'} />
      <kit.Field name="wrong-text" label="With an error" hint="With a hint." />
    </>
  ),
  Filters: () => (
    <kit.Filters>
      <kit.Field name="search" label="Search" />
      <kit.Select name="filter" label="Status" options={OPTIONS} value="" />
    </kit.Filters>
  ),
  Form: () => (
    <kit.Form>
      <kit.Button>Send</kit.Button>
    </kit.Form>
  ),
  LinkButton: () => <kit.LinkButton href="#">A link like a button</kit.LinkButton>,
  Marks: () => <kit.Marks given={{ mark: 'one' }} words={{ mark: () => 'The first' }} rows={ROWS} isMore />,
  MoneyField: () => (
    <>
      <kit.MoneyField
        name="amount"
        label="With its currency"
        value="85.50"
        currency={{ name: 'currency', value: 'EUR', options: CURRENCIES }}
      />
      <kit.MoneyField name="rate" label="With a fixed currency" hint="Per hour." value="85.50" currency="EUR" />
      <kit.MoneyField name="wrong-amount" label="With an error" value="much" currency="EUR" />
    </>
  ),
  OneTimeSecret: () => (
    <kit.OneTimeSecret label="Shown once" value="sk_test_0000" hint="Press Tab to select all of it." />
  ),
  RowForm: () => <kit.RowForm action="#" name="id" value="1" look="danger" label="End" about="the connection" />,
  RowLink: () => <kit.RowLink href="#" label="Rotate" about="the key" />,
  Select: () => <kit.Select name="select" label="One of them" options={OPTIONS} value="two" />,
  SignInFields: () => <kit.SignInFields to="/" email="ada@northwind.example" draft="" />,
  Status: () => (
    <p class="actions">
      {Object.keys(PAYMENT_STATUSES).map((status) => (
        <Status key={status} of={status} words={PAYMENT_STATUSES} />
      ))}
      <Status of="approved" payment={{ status: 'failed' }} words={TIMESHEET_STATUSES} />
    </p>
  ),
  Table: () => (
    <kit.Table
      caption="Rows"
      rows={ROWS}
      sorted="Created"
      filters={{ order: 'newest' }}
      cursor="next"
      columns={{
        Title: ({ title }) => <a href="#">{title}</a>,
        Status: ({ status }) => <Status of={status} words={PAYMENT_STATUSES} />,
        Created: () => <Day of="2027-03-01" />,
        Note: ({ note }) => note,
        Amount: (row) => <Amount of={row} />,
      }}
      numbers={['Amount']}
      plain={['Status', 'Amount']}
    />
  ),
  Tag: () => (
    <p class="actions">
      {(['good', 'bad', 'wait', 'plain'] as const).map((look) => (
        <kit.Tag key={look} look={look}>
          {look}
        </kit.Tag>
      ))}
    </p>
  ),
  Time: () => (
    <>
      <kit.Time at={AT} />, or <kit.Time at={null} />
    </>
  ),
  UnreadPayments: () => <UnreadPayments />,
  WorkerLink: () => <WorkerLink of={{ id: '1', name: 'Wilhelmina Featherstonehaugh' }} home="#" />,
};
