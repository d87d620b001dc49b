import { ConfirmButtons, Form, LinkButton, OperationId, secondFactorPath, textOf } from '@payroll/pages';
import { graphql, ONCE, SENT } from '../../operations.js';
import { formPage } from '../../routes.js';
import { operationIn, requireRole } from '../../workspace-context.js';

const readFactorRule = graphql(`
  query factorRule {
    business {
      secondFactorRequired
    }
    membersWithoutSecondFactor {
      id
      name
      role
    }
  }
`);

const requireFactor = graphql(`
  mutation requireSecondFactor($isRequired: Boolean!, ${ONCE}) {
    requireSecondFactor(isRequired: $isRequired, ${SENT}) { id }
  }`);

const PROGRAMS =
  'API keys and assistants go on as before: no code is asked of programs. They end with the membership that they act for.';

/** Whether the workspace requires a second factor of its admins. Admission enforces it, so a session without one cannot act. */
export const secondFactorPage = formPage('/workspaces/:workspaceId/members/second-factor', {
  load: async (ctx) => {
    const { run, mutate, path, membershipId } = await requireRole(ctx, ['admin']);
    await ctx.requireRecent();
    const { business, membersWithoutSecondFactor: without } = await run(readFactorRule, {});
    const admins = without.filter(({ role }) => role === 'admin');
    const hasOwn = !admins.some(({ id }) => id === membershipId);
    return { mutate, path, isRequired: business.secondFactorRequired, admins, hasOwn };
  },
  view: ({ path, isRequired, admins, hasOwn }) => ({
    title: isRequired ? 'No longer require a second factor?' : 'Require a second factor of admins?',
    lead: isRequired
      ? 'Admins can then act here with their password alone.'
      : 'From the next request on, an admin without one is led to set it up before they can open a page here.',
    body: (
      <>
        {!isRequired && admins.length > 0 && (
          <>
            <p>These admins have none yet:</p>
            <ul>
              {admins.map(({ id, name }) => (
                <li key={id}>{name}</li>
              ))}
            </ul>
          </>
        )}
        <p>{PROGRAMS}</p>
        {hasOwn ? (
          <Form>
            <OperationId />
            <input type="hidden" name="required" value={isRequired ? 'no' : 'yes'} />
            <ConfirmButtons
              look={isRequired ? 'danger' : 'main'}
              label={isRequired ? 'Stop requiring it' : 'Require it'}
              back={path}
              keep="Leave it as it is"
            />
          </Form>
        ) : (
          <>
            <p>Only an admin who has a second factor can require it of the others.</p>
            <LinkButton href={secondFactorPath(`${path}/second-factor`)}>Set up yours</LinkButton>
          </>
        )}
      </>
    ),
  }),
  submit: async ({ mutate, path }, ctx) => {
    const isRequired = textOf(ctx, 'required') === 'yes';
    await mutate(requireFactor, { isRequired }, operationIn(ctx));
    const notice = isRequired ? 'Admins now need a second factor here.' : 'Admins no longer need a second factor here.';
    return { to: path, notice };
  },
});
