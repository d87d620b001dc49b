import { Button, Field, Filters, Form, MoneyField, OperationId, Select, type SentForm, textOf } from '@payroll/pages';
import { type ComponentChildren, createContext, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { graphql, type ResultOf } from '../../operations.js';
import { CURRENCIES, dayText, moneyText } from '../../words.js';

const WITH_WORK = 'id title worker { id name } milestones { id title status amount { amount currency } }';
const PAYMENT = 'id netAmount { amount currency } scheduledDate contract { worker { name } }';

/** A contract that is `offboarding` takes work until its last day. */
export const readPlayable = graphql(`
  query playable($search: String) {
    business { kybStatus }
    sandboxDaysAhead
    signing: contracts(status: pending_signature, search: $search, limit: 20) { nodes { id title revision agreement { text digest } } }
    active: contracts(status: active, search: $search, limit: 50) { nodes { ${WITH_WORK} } nextCursor }
    ending: contracts(status: offboarding, search: $search, limit: 50) { nodes { ${WITH_WORK} } }
    unverified: payees(verificationStatus: unverified, limit: 50) { nodes { id version worker { name } } }
    underWay: payments(status: processing, limit: 50) { nodes { ${PAYMENT} } }
    waiting: payments(status: pending, limit: 50) { nodes { ${PAYMENT} } }
  }`);

type SandboxState = ResultOf<typeof readPlayable>;

interface FormsProps {
  path: string;
  playable: SandboxState;
  typed: SentForm | null;
  /** Looked for among the contracts; null where a form is shown again, whose address is not that of the page. */
  search: string | null;
}

export function Forms({ path, playable, typed, search }: FormsProps): VNode {
  const isMore = search !== '' || playable.active.nextCursor !== null;
  return (
    <Sandbox.Provider value={{ path, typed }}>
      {search !== null && isMore && (
        <Filters>
          <Field
            name="search"
            label="Contract or worker"
            hint="The newest 50 contracts are offered below."
            value={search}
          />
        </Filters>
      )}
      <h2>The worker’s signature</h2>
      <Signing signing={playable.signing.nodes} />
      <h2>The worker’s work</h2>
      <Work active={[...playable.active.nodes, ...playable.ending.nodes]} />
      <h2>Payout details</h2>
      <Payees playable={playable} />
      <h2>Your business</h2>
      {playable.business.kybStatus === 'verified' ? (
        <p class="hint">Your business is verified.</p>
      ) : (
        <SandboxForm action="verify-business" label="Verify the business" />
      )}
      <h2>The bank</h2>
      <Funding />
      <h2>Payments</h2>
      <Payments playable={playable} />
      <h2>The calendar</h2>
      <Calendar daysAhead={playable.sandboxDaysAhead} />
    </Sandbox.Provider>
  );
}

function Funding(): VNode {
  const typed = useTyped();
  return (
    <SandboxForm action="fund" label="Let the money arrive">
      <MoneyField
        name="amount"
        label="Amount"
        value={typed('amount', '1000.00')}
        currency={{ name: 'currency', value: typed('currency', 'EUR'), options: { ...CURRENCIES, USDC: 'USDC' } }}
      />
    </SandboxForm>
  );
}

function Calendar({ daysAhead }: { daysAhead: number }): VNode {
  const typed = useTyped();
  return (
    <>
      <p class="hint">
        {daysAhead === 0 ? 'It is at today.' : `It is ${daysAhead} days ahead of today.`} Scheduled payments and
        approvals by rule follow it; the times that are recorded stay real. It only moves forward.
      </p>
      <SandboxForm action="calendar" label="Move the calendar">
        <Field name="daysAhead" label="Days ahead of today" value={typed('daysAhead', String(daysAhead + 7))} />
      </SandboxForm>
    </>
  );
}

function Signing({ signing }: { signing: SandboxState['signing']['nodes'] }): VNode {
  if (signing.length === 0) return <p class="hint">No contract waits for the worker’s signature.</p>;
  return (
    <>
      {signing.map(({ id, title, revision, agreement }) => (
        <SandboxForm key={id} action="sign" label={`Sign “${title}” as the worker`}>
          <input type="hidden" name="contract" value={`${id}|${revision}|${agreement.digest}`} />
          <details>
            <summary>What is signed</summary>
            <pre>{agreement.text}</pre>
          </details>
        </SandboxForm>
      ))}
    </>
  );
}

function Work({ active }: { active: SandboxState['active']['nodes'] }): VNode {
  const contracts = Object.fromEntries(active.map(({ id, title, worker }) => [id, `${title}, ${worker.name ?? ''}`]));
  const planned = active.flatMap(({ milestones }) => milestones.filter(({ status }) => status === 'pending'));
  const first = Object.keys(contracts)[0];
  const typed = useTyped();
  return (
    <>
      {first === undefined ? (
        <p class="hint">There is no active contract here to submit work for.</p>
      ) : (
        <SandboxForm action="timesheet" label="Submit the timesheet">
          <Select name="work" label="Contract" options={contracts} value={typed('work', first)} />
          <Field name="periodStart" label="First day" type="date" value={typed('periodStart', '')} />
          <Field name="periodEnd" label="Last day" type="date" value={typed('periodEnd', '')} />
          <Field name="unitsWorked" label="Hours or other units" value={typed('unitsWorked', '')} />
        </SandboxForm>
      )}
      <Choose
        action="milestone"
        label="Submit the milestone"
        name="milestone"
        what="Milestone"
        options={Object.fromEntries(planned.map(({ id, title, amount }) => [id, `${title}, ${moneyText(amount)}`]))}
        none="No milestone is planned."
      />
    </>
  );
}

const DESTINATIONS: Options = {
  'test account': 'Payouts arrive at once',
  'sandbox:stays-under-way': 'You settle or decline each payout',
  'sandbox:declines': 'The provider declines every payout',
  'sandbox:declines-once': 'The provider declines the first payout only',
};

function Payees({ playable: { active, ending, unverified } }: { playable: SandboxState }): VNode {
  const typed = useTyped();
  const workers = Object.fromEntries(
    [...active.nodes, ...ending.nodes].flatMap(({ worker: { id, name } }) => (id ? [[id, name ?? id]] : [])),
  );
  const first = Object.keys(workers)[0];
  return (
    <>
      {first !== undefined && (
        <SandboxForm action="give-payee" label="Give payout details">
          <Select name="worker" label="Worker" options={workers} value={typed('worker', first)} />
          <Select
            name="destination"
            label="What becomes of payouts"
            options={DESTINATIONS}
            value={typed('destination', 'test account')}
          />
        </SandboxForm>
      )}
      <Choose
        action="verify-payee"
        label="Verify them"
        name="payee"
        what="Payout details of"
        options={Object.fromEntries(
          unverified.nodes.map(({ id, version, worker }) => [`${id}|${version}`, worker.name]),
        )}
        none="No payout details wait for verification."
      />
    </>
  );
}

function Payments({ playable: { underWay, waiting } }: { playable: SandboxState }): VNode {
  const named = (payments: SandboxState['waiting']['nodes']): Options =>
    Object.fromEntries(
      payments.map(({ id, netAmount, scheduledDate, contract }) => {
        const day = scheduledDate === null ? '' : `, ${dayText(scheduledDate)}`;
        return [id, `${moneyText(netAmount)} to ${contract.worker.name ?? 'a worker'}${day}`];
      }),
    );
  const [payouts, dated] = [named(underWay.nodes), named(waiting.nodes.filter((each) => each.scheduledDate !== null))];
  const none = 'The provider has no payout under way.';
  return (
    <>
      <Choose
        action="due"
        label="Make it due today"
        name="due"
        what="Scheduled payment"
        options={dated}
        none="No payment waits for its day."
      />
      <Choose
        action="settle"
        label="Settle the payout"
        name="settled"
        what="Payout to settle"
        options={payouts}
        none={none}
      />
      {Object.keys(payouts).length > 0 && (
        <Choose
          action="decline"
          label="Decline the payout"
          name="declined"
          what="Payout to decline"
          options={payouts}
          none={none}
        />
      )}
    </>
  );
}

const Sandbox = createContext({
  path: '',
  /** The restored form: one of those on this page. */
  typed: null as SentForm | null,
});

/** The typed text of a field, or its initial value. */
function useTyped(): (name: string, first: string) => string {
  const { typed } = useContext(Sandbox);
  return (name, first) => (typed === null ? first : textOf(typed, name) || first);
}

type Options = Readonly<Record<string, string>>;

interface PlayProps {
  action: string;
  label: string;
  children?: ComponentChildren;
}

function SandboxForm({ action, label, children }: PlayProps): VNode {
  const { path } = useContext(Sandbox);
  return (
    <Form action={`${path}/${action}`}>
      <OperationId />
      {children}
      <Button look="quiet">{label}</Button>
    </Form>
  );
}

interface ChooseProps extends Omit<PlayProps, 'children'> {
  name: string;
  what: string;
  options: Options;
  none: string;
}

/** A choice from a list; an empty list says what is missing. */
function Choose({ name, what, options, none, ...play }: ChooseProps): VNode {
  const typed = useTyped();
  const first = Object.keys(options)[0];
  if (first === undefined) return <p class="hint">{none}</p>;
  return (
    <SandboxForm {...play}>
      <Select name={name} label={what} options={options} value={typed(name, first)} />
    </SandboxForm>
  );
}
