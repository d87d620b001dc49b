import type { RouteTable } from '../../../routes.js';
import { saveDraft, showDraft } from '../draft/edit.js';
import { newDraftPages } from '../draft/new-draft.js';
import { chooseWorker, showWorkers } from '../draft/worker.js';
import { actPages } from './act-page.js';
import { withdrawAmendmentPage } from './amendments.js';
import { agreementPage } from './agreement.js';

const CONTRACT = '/workspaces/:workspaceId/contracts/:id';

/** The pages of a contract's actions after the draft, and of its agreement. */
export const contractActPages: RouteTable = {
  ...newDraftPages,
  [`GET ${CONTRACT}/edit`]: showDraft,
  [`POST ${CONTRACT}/edit`]: saveDraft,
  [`GET ${CONTRACT}/worker`]: showWorkers,
  [`POST ${CONTRACT}/worker`]: chooseWorker,
  [`GET ${CONTRACT}/agreement`]: agreementPage,
  ...withdrawAmendmentPage,
  ...actPages,
};
