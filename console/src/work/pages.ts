import type { RouteTable } from '../routes.js';
import {
  myAgreementPage,
  myAgreementText,
  sendChanges,
  showChanges,
  showSign,
  showSignAmendment,
  sign,
  signAmendment,
} from './agreement.js';
import { myContractPage, myContractsPage } from './contracts.js';
import { leavePage } from './leave.js';
import { milestonePage } from './milestone.js';
import { myTimesheetPage, sendCorrection, sendWeek, showCorrection, showWeek } from './timesheet.js';
import { myPaymentPages } from './payments.js';
import { myPayoutDetailsPages } from './payout-details.js';

const CONTRACT = '/work/:workspaceId/contracts/:id';
const TIMESHEET = '/work/:workspaceId/timesheets/:id';

/** The pages of a worker in a workspace that they work for. */
export const workPages: RouteTable = {
  'GET /work/:workspaceId': myContractsPage,
  [`GET ${CONTRACT}`]: myContractPage,
  [`GET ${CONTRACT}/agreement`]: myAgreementPage,
  [`GET ${CONTRACT}/agreement.txt`]: myAgreementText,
  [`GET ${CONTRACT}/sign`]: showSign,
  [`POST ${CONTRACT}/sign`]: sign,
  [`GET ${CONTRACT}/changes`]: showChanges,
  [`POST ${CONTRACT}/changes`]: sendChanges,
  [`GET ${CONTRACT}/amendments/:number/sign`]: showSignAmendment,
  [`POST ${CONTRACT}/amendments/:number/sign`]: signAmendment,
  [`GET ${CONTRACT}/timesheet`]: showWeek,
  [`POST ${CONTRACT}/timesheet`]: sendWeek,
  [`GET ${TIMESHEET}`]: myTimesheetPage,
  [`GET ${TIMESHEET}/correct`]: showCorrection,
  [`POST ${TIMESHEET}/correct`]: sendCorrection,
  ...milestonePage,
  ...myPaymentPages,
  ...myPayoutDetailsPages,
  ...leavePage,
};
