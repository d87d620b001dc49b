import type { RouteTable } from '../../routes.js';
import { confirmChosen } from './approve-chosen.js';
import { decideOne } from './decide-one.js';
import { showPiece } from './work-item-page.js';
import { queue } from './queue.js';
import { approveChosen } from './results.js';

const SECTION = '/workspaces/:workspaceId/review';

export const reviewPages: RouteTable = {
  [`GET ${SECTION}`]: queue,
  [`POST ${SECTION}/confirm`]: confirmChosen,
  [`POST ${SECTION}/approve`]: approveChosen,
  [`GET ${SECTION}/timesheet/:id`]: showPiece('timesheet'),
  [`POST ${SECTION}/timesheet/:id/approve`]: decideOne('timesheet', 'approve'),
  [`POST ${SECTION}/timesheet/:id/reject`]: decideOne('timesheet', 'reject'),
  [`GET ${SECTION}/milestone/:id`]: showPiece('milestone'),
  [`POST ${SECTION}/milestone/:id/approve`]: decideOne('milestone', 'approve'),
  [`POST ${SECTION}/milestone/:id/reject`]: decideOne('milestone', 'reject'),
};
